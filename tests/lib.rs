//! Empty: each file and each folder beside it is a test, or used by one.
