//! Bits, least significant first, as DEFLATE has them.

/// Most values that are added at once.
pub(super) const VALUES_MAX: usize = 1 << 10;

/// Memory for what they take, seven bytes each at most: its length is a power of two, so that no place in it needs a check.
pub(super) const STAGE_BYTES: usize = 8 << 10;

/// Room for a whole word at the last place.
pub(super) type Stage = [u8; STAGE_BYTES + 8];

/// Writes bits to memory that was set aside; what does not fit is counted and not written.
pub(super) struct Bits<'a> {
    out: &'a mut [u8],
    at: usize,
    /// Bits that are not in `out` yet: fewer than eight after each [`Bits::settle`].
    held: u64,
    count: u32,
    stage: &'a mut Stage,
}

impl<'a> Bits<'a> {
    pub(super) fn new(out: &'a mut [u8], stage: &'a mut Stage) -> Bits<'a> {
        Bits { out, at: 0, held: 0, count: 0, stage }
    }

    /// Adds bits, all others of `bits` being zero. At most 56 between two calls of [`Bits::settle`].
    pub(super) fn add(&mut self, bits: u64, count: u32) {
        self.held |= bits << (self.count & 63);
        self.count += count;
    }

    /// Adds up to [`VALUES_MAX`] values of up to 56 bits each.
    #[inline(always)]
    pub(super) fn add_all(&mut self, values: impl Iterator<Item = (u64, u32)>) {
        self.settle();
        let (mut held, mut count) = (self.held, self.count);
        let mut staged = 0;
        for (bits, more) in values {
            held |= bits << (count & 63);
            count += more;
            let place = self.stage.get_mut(staged & (STAGE_BYTES - 1)..);
            if let Some(place) = place.and_then(|rest| rest.first_chunk_mut::<8>()) {
                *place = held.to_le_bytes();
            }
            staged += (count >> 3) as usize;
            held >>= count & 56;
            count &= 7;
        }
        (self.held, self.count) = (held, count);
        let place = self.out.get_mut(self.at..).and_then(|rest| rest.get_mut(..staged));
        if let (Some(place), Some(bytes)) = (place, self.stage.get(..staged)) {
            place.copy_from_slice(bytes);
        }
        self.at += staged;
    }

    /// Writes all whole bytes.
    pub(super) fn settle(&mut self) {
        let bytes = self.held.to_le_bytes();
        let whole = (self.count >> 3) as usize;
        self.append(bytes.get(..whole).unwrap_or_default());
        self.held >>= self.count & 56;
        self.count &= 7;
    }

    /// Goes on at the next whole byte.
    pub(super) fn align(&mut self) {
        self.count = (self.count + 7) & 0xf8;
        self.settle();
    }

    /// Appends bytes; only after [`Bits::align`].
    pub(super) fn append(&mut self, bytes: &[u8]) {
        if let Some(place) = self.out.get_mut(self.at..).and_then(|rest| rest.get_mut(..bytes.len())) {
            place.copy_from_slice(bytes);
        }
        self.at += bytes.len();
    }

    /// How many bytes were written; `None` if they did not fit.
    pub(super) fn finish(mut self) -> Option<usize> {
        self.align();
        (self.at <= self.out.len()).then_some(self.at)
    }
}
