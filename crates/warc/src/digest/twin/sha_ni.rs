//! Compresses a block of each of two SHA-256 computations at once, by instructions that the processor has for it.
//!
//! Such an instruction waits for the one before it; in between the processor does those of the other lane. With
//! `member/libdeflate.rs` this is one of two places of this crate with `unsafe` code: whether there are such instructions is only
//! known when the program runs, so the compiler cannot vouch for the call. See docs/decisions/2026-11-16-twin-sha256.md.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_extract_epi32, _mm_set_epi8, _mm_set_epi32, _mm_set_epi64x,
    _mm_setzero_si128, _mm_sha256msg1_epu32, _mm_sha256msg2_epu32, _mm_sha256rnds2_epu32, _mm_shuffle_epi8,
    _mm_shuffle_epi32,
};

/// What is added in each round (FIPS 180-4, 4.2.2), four rounds together.
#[rustfmt::skip]
const ROUNDS: [[u32; 4]; 16] = [
    [0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5], [0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5],
    [0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3], [0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174],
    [0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc], [0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da],
    [0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7], [0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967],
    [0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13], [0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85],
    [0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3], [0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070],
    [0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5], [0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3],
    [0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208], [0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2],
];

/// Proof that the processor has the instructions: only [`ShaNi::detect`] makes one.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShaNi(());

impl ShaNi {
    pub(super) fn detect() -> Option<ShaNi> {
        let is_there = is_x86_feature_detected!("sha")
            && is_x86_feature_detected!("ssse3")
            && is_x86_feature_detected!("sse4.1");
        is_there.then_some(ShaNi(()))
    }

    /// Takes the blocks into both states, as many as both have.
    pub(super) fn compress(self, states: [&mut [u32; 8]; 2], blocks: [&[[u8; 64]]; 2]) {
        // SAFETY: the function is safe where the processor has the features that it names, and `detect`, without which there
        // is no `self`, has asked for each of them.
        unsafe { compress(states, blocks) }
    }
}

#[target_feature(enable = "sha,ssse3,sse4.1")]
fn compress([one, other]: [&mut [u32; 8]; 2], [of_one, of_other]: [&[[u8; 64]]; 2]) {
    let (mut a, mut b) = (Lane::new(one), Lane::new(other));
    // After four steps the words are where they were: unrolled so far, no step moves them. The fewer instructions count where
    // another thread shares the core.
    let (quarters, _) = ROUNDS.as_chunks::<4>();
    for (block_a, block_b) in of_one.iter().zip(of_other) {
        let before = (a, b);
        a.load(block_a);
        b.load(block_b);
        for (quarter, steps) in quarters.iter().enumerate() {
            for constants in steps {
                a.four_rounds(constants);
                b.four_rounds(constants);
                // The words of the last quarter are all there then.
                if quarter < 3 {
                    a.grow();
                    b.grow();
                } else {
                    a.turn();
                    b.turn();
                }
            }
        }
        a.add(&before.0);
        b.add(&before.1);
    }
    *one = a.state();
    *other = b.state();
}

/// One of the two computations, in the order in which the instructions want it: the first letter is in the highest part.
#[derive(Clone, Copy)]
struct Lane {
    abef: __m128i,
    cdgh: __m128i,
    /// The next sixteen words of the message schedule (FIPS 180-4, 6.2.2), the first in the lowest part.
    words: [__m128i; 4],
}

impl Lane {
    #[inline]
    #[target_feature(enable = "sha,ssse3,sse4.1")]
    fn new(state: &[u32; 8]) -> Lane {
        let [a, b, c, d, e, f, g, h] = state.map(u32::cast_signed);
        let words = [_mm_setzero_si128(); 4];
        Lane { abef: _mm_set_epi32(a, b, e, f), cdgh: _mm_set_epi32(c, d, g, h), words }
    }

    #[inline]
    #[target_feature(enable = "sha,ssse3,sse4.1")]
    fn state(&self) -> [u32; 8] {
        let [f, e, b, a] = parts(self.abef);
        let [h, g, d, c] = parts(self.cdgh);
        [a, b, c, d, e, f, g, h]
    }

    /// The words of a block are big-endian. Made of numbers, so that no pointer is needed; it compiles to plain loads.
    #[inline]
    #[target_feature(enable = "sha,ssse3,sse4.1")]
    fn load(&mut self, block: &[u8; 64]) {
        let swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
        let (halves, _) = block.as_chunks::<8>();
        let (pairs, _) = halves.as_chunks::<2>();
        for (words, pair) in self.words.iter_mut().zip(pairs) {
            let [low, high] = pair.map(i64::from_le_bytes);
            *words = _mm_shuffle_epi8(_mm_set_epi64x(high, low), swap);
        }
    }

    /// After two rounds what was ABEF is CDGH, hence the two names take turns.
    #[inline]
    #[target_feature(enable = "sha,ssse3,sse4.1")]
    fn four_rounds(&mut self, constants: &[u32; 4]) {
        let [k0, k1, k2, k3] = *constants;
        let constants = _mm_set_epi32(k3.cast_signed(), k2.cast_signed(), k1.cast_signed(), k0.cast_signed());
        let sum = _mm_add_epi32(self.words[0], constants);
        self.cdgh = _mm_sha256rnds2_epu32(self.cdgh, self.abef, sum);
        self.abef = _mm_sha256rnds2_epu32(self.abef, self.cdgh, _mm_shuffle_epi32::<0b1110>(sum));
    }

    /// Puts the four words that follow in the place of those used.
    #[inline]
    #[target_feature(enable = "sha,ssse3,sse4.1")]
    fn grow(&mut self) {
        let [w0, w4, w8, w12] = self.words;
        let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w4), _mm_alignr_epi8::<4>(w12, w8));
        self.words = [w4, w8, w12, _mm_sha256msg2_epu32(sum, w12)];
    }

    /// Goes on to the next words where none must follow.
    fn turn(&mut self) {
        let [w0, w4, w8, w12] = self.words;
        self.words = [w4, w8, w12, w0];
    }

    #[inline]
    #[target_feature(enable = "sha,ssse3,sse4.1")]
    fn add(&mut self, before: &Lane) {
        self.abef = _mm_add_epi32(self.abef, before.abef);
        self.cdgh = _mm_add_epi32(self.cdgh, before.cdgh);
    }
}

/// The lowest first.
#[inline]
#[target_feature(enable = "sse4.1")]
fn parts(of: __m128i) -> [u32; 4] {
    let parts = [
        _mm_extract_epi32::<0>(of),
        _mm_extract_epi32::<1>(of),
        _mm_extract_epi32::<2>(of),
        _mm_extract_epi32::<3>(of),
    ];
    parts.map(i32::cast_unsigned)
}
