//! The store by its public face: what is sealed stays, and a crash at any point is mended by sealing again.

mod sealing;
mod verifying;
