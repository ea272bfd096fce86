//! Vectors that we differ from on purpose: one per line in `expected_differences.txt`, with a reason.

use testkit::differences::Tally;

pub(crate) fn tally() -> Tally {
    Tally::against(include_str!("../expected_differences.txt"))
}
