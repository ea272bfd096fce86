//! The frontier from outside.

mod ordinary;
