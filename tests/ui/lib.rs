//! Nothing: `ui.rs` has the tests, and each folder cases for them.
