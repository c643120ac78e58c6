//! Empty: this package exists for the pinned dependencies in its manifest.
