//! The SHA-256 of a block and that of the payload at its end, computed together in little more than the time of one.

use sha2::block_api::compress256;

use self::sha_ni::ShaNi;
use super::{Algorithm, Digest};

#[cfg(target_arch = "x86_64")]
mod sha_ni;

/// Computes both digests from bytes as they come.
///
/// The payload begins later, so that the 64 bytes which SHA-256 takes at a time begin elsewhere in it: each lane keeps what it
/// has not yet enough of.
#[derive(Debug, Clone)]
pub struct Twin {
    processor: ShaNi,
    block: Lane,
    payload: Lane,
}

impl Twin {
    /// One that has seen nothing; none where the processor has no instructions that make it worth while. Two
    /// [`Hasher`](super::Hasher)s tell the same there.
    #[must_use]
    pub fn new() -> Option<Twin> {
        Some(Twin { processor: ShaNi::detect()?, block: Lane::new(), payload: Lane::new() })
    }

    /// Takes in further bytes, the first `of_head` of which are of the block alone.
    pub fn update(&mut self, bytes: &[u8], of_head: usize) {
        self.take_in(bytes, bytes.get(of_head..).unwrap_or_default());
    }

    /// The digests of all that was taken in: of the block, of the payload.
    #[must_use]
    pub fn finish(mut self) -> (Digest, Digest) {
        let (of_block, of_payload) = (self.block.padding(), self.payload.padding());
        self.take_in(&of_block, &of_payload);
        (self.block.digest(), self.payload.digest())
    }

    fn take_in(&mut self, of_block: &[u8], of_payload: &[u8]) {
        let (completed, whole) = self.block.cut(of_block);
        let (completed_too, whole_too) = self.payload.cut(of_payload);
        self.compress(completed.as_slice(), completed_too.as_slice());
        self.compress(whole, whole_too);
    }

    /// As many together as both have, the rest of one alone.
    fn compress(&mut self, of_block: &[[u8; 64]], of_payload: &[[u8; 64]]) {
        let together = of_block.len().min(of_payload.len());
        let (of_block, rest_of_block) = of_block.split_at(together);
        let (of_payload, rest_of_payload) = of_payload.split_at(together);
        let states = [&mut self.block.state, &mut self.payload.state];
        self.processor.compress(states, [of_block, of_payload]);
        compress256(&mut self.block.state, rest_of_block);
        compress256(&mut self.payload.state, rest_of_payload);
    }
}

/// One computation of SHA-256.
#[derive(Debug, Clone)]
struct Lane {
    state: [u32; 8],
    /// Bytes that it was given.
    length: u64,
    /// What does not make 64 yet: the first `kept` of these.
    partial: [u8; 64],
    kept: usize,
}

impl Lane {
    /// Begins with the values of FIPS 180-4, 5.3.3.
    #[rustfmt::skip]
    fn new() -> Lane {
        let state = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ];
        Lane { state, length: 0, partial: [0; 64], kept: 0 }
    }

    /// Cuts what was kept and these bytes into pieces of 64: the one that was begun, if it is whole now, and those behind it.
    fn cut<'a>(&mut self, bytes: &'a [u8]) -> (Option<[u8; 64]>, &'a [[u8; 64]]) {
        self.length += bytes.len() as u64;
        let mut rest = bytes;
        let mut completed = None;
        if self.kept > 0 {
            rest = self.keep(bytes);
            if self.kept < self.partial.len() {
                return (None, &[]);
            }
            completed = Some(self.partial);
            self.kept = 0;
        }
        let (whole, rest) = rest.as_chunks();
        self.keep(rest);
        (completed, whole)
    }

    /// Keeps what there is room for; the rest.
    fn keep<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let room = self.partial.get_mut(self.kept..).unwrap_or_default();
        let (fitting, rest) = bytes.split_at_checked(room.len()).unwrap_or((bytes, &[]));
        for (place, byte) in room.iter_mut().zip(fitting) {
            *place = *byte;
        }
        self.kept += fitting.len();
        rest
    }

    /// What ends the message (FIPS 180-4, 5.1.1): a bit, zeros up to eight bytes before the end of a piece, its length in bits.
    fn padding(&self) -> Vec<u8> {
        let mut padding = Vec::with_capacity(72);
        padding.push(0x80);
        padding.resize(1 + (64 + 55 - self.kept) % 64, 0);
        padding.extend((self.length * 8).to_be_bytes());
        padding
    }

    fn digest(&self) -> Digest {
        let value = self.state.iter().flat_map(|word| word.to_be_bytes()).collect();
        Digest { algorithm: Algorithm::Sha256, value }
    }
}

/// Elsewhere there is nothing to detect.
#[cfg(not(target_arch = "x86_64"))]
mod sha_ni {
    #[derive(Debug, Clone, Copy)]
    pub(super) enum ShaNi {}

    impl ShaNi {
        pub(super) fn detect() -> Option<ShaNi> {
            None
        }

        pub(super) fn compress(self, _: [&mut [u32; 8]; 2], _: [&[[u8; 64]]; 2]) {
            match self {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Hasher;
    use super::*;

    /// Without the instructions there is no twin, and nothing to test.
    fn twin() -> Option<Twin> {
        let twin = Twin::new();
        if twin.is_none() {
            println!("this processor has no instructions for SHA-256: the twin is not tested");
        }
        twin
    }

    #[track_caller]
    fn check(twin: &Twin, pieces: &[&[u8]], head: usize) {
        let mut twin = twin.clone();
        let mut of_head = head;
        for piece in pieces {
            twin.update(piece, of_head.min(piece.len()));
            of_head -= of_head.min(piece.len());
        }
        let block = pieces.concat();
        let expected = (Digest::of(Algorithm::Sha256, &block), Digest::of(Algorithm::Sha256, &block[head..]));
        let lengths: Vec<usize> = pieces.iter().map(|piece| piece.len()).collect();
        assert_eq!(twin.finish(), expected, "head of {head} bytes, pieces of {lengths:?}");
    }

    /// Bytes that do not repeat soon.
    fn bytes(length: u32) -> Vec<u8> {
        (0..length).map(|at| (at.wrapping_mul(0x9e37_79b1) >> 24) as u8).collect()
    }

    #[test]
    fn the_examples_of_the_standard_come_out() {
        let Some(twin) = twin() else { return };
        let million = "a".repeat(1_000_000);
        let examples = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            (&million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ];
        for (message, digest) in examples {
            let mut twin = twin.clone();
            twin.update(message.as_bytes(), 0);
            let (block, payload) = twin.finish();
            assert_eq!((block.hex().as_str(), payload.hex().as_str()), (digest, digest));
        }
    }

    #[test]
    fn every_length_of_head_and_body_is_right() {
        let Some(twin) = twin() else { return };
        let bytes = bytes(600);
        for head in 0..=300 {
            check(&twin, &[&bytes[..head + 300]], head);
            // Grown byte by byte and asked at each: from the beginning each time takes long without optimisation.
            let (head, body) = (&bytes[..head], &bytes[head..head + 300]);
            let mut twin = twin.clone();
            twin.update(head, head.len());
            let (mut block, mut payload) = (Hasher::new(Algorithm::Sha256), Hasher::new(Algorithm::Sha256));
            block.update(head);
            for (length, byte) in body.chunks(1).enumerate() {
                let expected = (block.clone().finish(), payload.clone().finish());
                assert_eq!(twin.clone().finish(), expected, "head of {}, body of {length}", head.len());
                twin.update(byte, 0);
                block.update(byte);
                payload.update(byte);
            }
        }
    }

    #[test]
    fn it_does_not_matter_where_pieces_are_cut() {
        let Some(twin) = twin() else { return };
        let bytes = bytes(400);
        for head in [0, 1, 55, 56, 63, 64, 65, 130, 399, 400] {
            for at in 0..=bytes.len() {
                let (first, second) = bytes.split_at(at);
                check(&twin, &[first, second], head);
                check(&twin, &[first, &[], &second[..second.len() / 3], &second[second.len() / 3..]], head);
            }
        }
        for size in [1, 7, 63, 64, 65] {
            check(&twin, &bytes.chunks(size).collect::<Vec<_>>(), 130);
        }
    }

    #[test]
    fn long_ones_are_right() {
        let Some(twin) = twin() else { return };
        let bytes = bytes(200_000);
        for head in [0, 400, 448, 70_000, bytes.len()] {
            check(&twin, &[&bytes], head);
            check(&twin, &bytes.chunks(16_411).collect::<Vec<_>>(), head);
        }
    }
}
