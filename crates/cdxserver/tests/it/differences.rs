//! Vectors that we differ from on purpose: one per line in `differences.txt`, with a reason.

use testkit::differences::Tally;

pub(crate) fn tally() -> Tally {
    Tally::against(include_str!("differences.txt"))
}
