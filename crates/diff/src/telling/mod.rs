//! How a change is told to people: in a letter, a feed, on a page, in a subject.
//!
//! | question | file |
//! |---|---|
//! | How does it stay within its bytes, and whatever it cites within it? | `fragment.rs` |
//! | Which words changed? | `stretches.rs` |
//! | What is said of one finding, and of all? | `findings.rs`, `summary.rs` |
//! | What is said of two texts? | `texts.rs` |

mod findings;
mod fragment;
mod stretches;
mod summary;
mod texts;
