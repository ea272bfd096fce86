//! Patches recreate the newer version exactly, or say what is wrong. E4.

use diff::patch::{Effort, Way, apply, describe, make};
use diff::{Error, Limits};
use proptest::prelude::*;

fn limits() -> Limits {
    Limits { patched_bytes_max: 1 << 20, ..Limits::default() }
}

/// Bytes that look like chance and are always the same.
fn noise(length: usize, mut state: u32) -> Vec<u8> {
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[track_caller]
fn check(old: &[u8], new: &[u8]) -> Way {
    for effort in [Effort::Thorough, Effort::Quick] {
        let patch = make(old, new, effort, &limits()).unwrap();
        assert_eq!(apply(old, &patch.bytes, &limits()).unwrap(), new);
        assert!(patch.tried.contains(&(patch.way, patch.bytes.len())));
        assert_eq!(patch.tried.iter().map(|(_, bytes)| *bytes).min(), Some(patch.bytes.len()));
        let description = describe(&patch.bytes).unwrap();
        assert_eq!((description.old_bytes, description.new_bytes), (old.len() as u64, new.len() as u64));
    }
    make(old, new, Effort::Quick, &limits()).unwrap().way
}

#[test]
fn e4_every_kind_of_change_comes_back_exactly() {
    let old = noise(50_000, 1);
    let insertion = [&old[..20_000], &noise(300, 2), &old[20_000..]].concat();
    let removal = [&old[..10_000], &old[12_345..]].concat();
    let swap = [&old[30_000..], &old[..30_000]].concat();
    let mut here_and_there = old.clone();
    here_and_there.iter_mut().step_by(97).for_each(|byte| *byte = byte.wrapping_add(3));
    for new in [&insertion, &removal, &swap, &here_and_there, &old] {
        assert_eq!(check(&old, new), Way::Delta);
    }
    let patch = make(&old, &here_and_there, Effort::Quick, &limits()).unwrap();
    assert!(patch.bytes.len() < 500, "{}", patch.bytes.len());
}

#[test]
fn e4_nothing_and_the_unrelated_come_back_too() {
    assert_eq!(check(b"", b""), Way::Whole);
    assert_eq!(check(b"", b"something"), Way::Whole);
    check(b"something", b"");
    check(&noise(30_000, 1), &noise(30_000, 9));
    check(b"short", b"shorter");
}

proptest! {
    #[test]
    fn e4_a_patch_recreates_the_newer_version(
        pieces in prop::collection::vec(prop::collection::vec(0u8..4, 0..200), 1..12),
        order in prop::collection::vec(0usize..12, 0..12),
        flips in prop::collection::vec(any::<u16>(), 0..20),
    ) {
        let old = pieces.concat();
        let mut new: Vec<u8> = order.iter().flat_map(|at| pieces[at % pieces.len()].clone()).collect();
        for flip in flips {
            let length = new.len();
            if let Some(byte) = new.get_mut(usize::from(flip) % length.max(1)) {
                *byte = byte.wrapping_add((flip >> 8) as u8);
            }
        }
        check(&old, &new);
    }

    #[test]
    fn any_bytes_are_judged_and_never_taken_for_the_newer_version(
        at in any::<prop::sample::Index>(), bit in 0u32..8, cut in any::<prop::sample::Index>(),
    ) {
        let old = noise(4000, 3);
        let new = [&old[..1000], &noise(100, 4), &old[900..]].concat();
        let whole = make(&old, &new, Effort::Quick, &limits()).unwrap().bytes;
        let mut flipped = whole.clone();
        flipped[at.index(whole.len())] ^= 1 << bit;
        // Some bits of a packed stream mean nothing; the result is right or there is none.
        if let Ok(result) = apply(&old, &flipped, &limits()) {
            prop_assert_eq!(&result, &new);
        }
        prop_assert!(apply(&old, &whole[..cut.index(whole.len())], &limits()).is_err());
    }
}

#[test]
fn a_patch_says_what_is_wrong_with_it() {
    let (old, new) = (noise(4000, 1), noise(4100, 1));
    let whole = make(&old, &new, Effort::Quick, &limits()).unwrap().bytes;
    assert!(matches!(apply(&old, b"not a patch", &limits()), Err(Error::NoPatch)));
    assert!(matches!(apply(&old, b"VPCH\x02", &limits()), Err(Error::PatchVersion(2))));
    assert!(matches!(apply(&old, b"VPCH\x01", &limits()), Err(Error::PatchTruncated)));
    assert!(matches!(
        apply(&old[1..], &whole, &limits()),
        Err(Error::OtherVersion { expected: 4000, found: 3999 })
    ));
    assert!(matches!(apply(&noise(4000, 8), &whole, &limits()), Err(Error::WrongResult)));
    let tight = Limits { patched_bytes_max: 4000, ..limits() };
    assert!(matches!(apply(&old, &whole, &tight), Err(Error::TooLong { bytes: 4100, max: 4000 })));
    assert!(matches!(make(&old, &new, Effort::Quick, &tight), Err(Error::TooLong { bytes: 4100, .. })));
}
