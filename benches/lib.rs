//! Empty: each file beside it is a bench, or used by one.
