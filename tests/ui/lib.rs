//! Empty: `ui.rs` has the tests, and each folder has cases for them.
