//! The bytes of a response: in memory while they are few, in a temporary file without a name beyond that.
//!
//! Any number of readers can read them from the start, also while they still arrive. They see a byte once it is certain to
//! be the response's: interim answers, blank lines in front and whatever follows the end never show. Nothing is copied on
//! the way in: the socket is read into the buffer that is kept.

use std::fs::File;
use std::future::Future as _;
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::Notify;

/// How much is read at once.
const READ_BYTES: usize = 64 << 10;

/// The first buffer: enough for most pages in one piece.
const FIRST_BYTES: usize = 32 << 10;

/// Once there is a file, so much is gathered before it goes there.
const SPILL_BYTES: usize = 256 << 10;

/// What a server sent. Clones share the same bytes.
#[derive(Debug, Clone, Default)]
pub struct Kept(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// What is not in the file.
    memory: BytesMut,
    /// The beginning, once it has become too long.
    file: Option<Arc<Mutex<File>>>,
    file_bytes: u64,
    /// How many bytes are certain to be the response's; readers see no further.
    visible: u64,
    /// What was in memory when the last of it had come; nothing more will.
    complete: Option<Bytes>,
}

impl State {
    /// What is not in the file.
    fn tail(&self) -> &[u8] {
        self.complete.as_deref().unwrap_or(&self.memory)
    }

    /// What readers may see of it.
    fn visible_tail(&self) -> &[u8] {
        let length = usize::try_from(self.visible.saturating_sub(self.file_bytes)).unwrap_or(usize::MAX);
        self.tail().get(..length).unwrap_or(self.tail())
    }

    fn total(&self) -> u64 {
        self.file_bytes + self.tail().len() as u64
    }
}

impl Kept {
    /// Of bytes that are all there.
    #[must_use]
    pub fn of(bytes: impl Into<Bytes>) -> Kept {
        let bytes: Bytes = bytes.into();
        let state = State { visible: bytes.len() as u64, complete: Some(bytes), ..State::default() };
        Kept(Arc::new(Shared { state: Mutex::new(state), arrived: Notify::new() }))
    }

    /// How many bytes have arrived.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.lock().visible
    }

    /// Whether nothing has arrived.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether nothing more will come.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.lock().complete.is_some()
    }

    /// Whether some of it is in a file.
    #[must_use]
    pub fn is_spilled(&self) -> bool {
        self.lock().file.is_some()
    }

    /// All of it that has arrived, if it is in memory; without copying once nothing more will come.
    #[must_use]
    pub fn in_memory(&self) -> Option<Bytes> {
        let state = self.lock();
        match (&state.file, &state.complete) {
            (Some(_), _) => None,
            (None, Some(bytes)) => Some(bytes.clone()),
            (None, None) => Some(Bytes::copy_from_slice(state.visible_tail())),
        }
    }

    /// Reads what has arrived, from the start.
    #[must_use]
    pub fn reader(&self) -> KeptReader {
        self.reader_from(0)
    }

    /// Reads what has arrived, from this byte on.
    #[must_use]
    pub fn reader_from(&self, at: u64) -> KeptReader {
        KeptReader { kept: self.clone(), at }
    }

    /// The bytes from the start, those that are still to come included.
    #[must_use]
    pub fn arrivals(&self) -> Arrivals {
        Arrivals { reader: self.reader() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked while it held the lock left the bytes as they were.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The writing side, for the one exchange that fills it.
impl Kept {
    /// Reads once from a source, behind what is there: how many bytes came.
    pub(crate) fn poll_fill(
        &self,
        source: &mut (impl AsyncRead + Unpin),
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        let mut state = self.lock();
        if state.memory.capacity() == state.memory.len() {
            let room = if state.memory.is_empty() { FIRST_BYTES } else { READ_BYTES };
            state.memory.reserve(room);
        }
        pin!(source.read_buf(&mut state.memory)).poll(context)
    }

    /// Makes room for a response of so many bytes in all, as far as they are to stay in memory.
    pub(crate) fn expect(&self, bytes: u64, memory_max: usize) {
        let mut state = self.lock();
        let wanted = usize::try_from(bytes).unwrap_or(usize::MAX).min(memory_max);
        // Often it has come already, and with one byte more to spare its end is seen without another buffer.
        if wanted >= state.memory.capacity() {
            let further = wanted + 1 - state.memory.len();
            state.memory.reserve(further);
        }
    }

    /// Looks at the bytes in memory from the `at`th on.
    pub(crate) fn look<T>(&self, at: u64, look: impl FnOnce(&[u8]) -> T) -> T {
        let state = self.lock();
        let from = usize::try_from(at.saturating_sub(state.file_bytes)).unwrap_or(usize::MAX);
        look(state.memory.get(from..).unwrap_or_default())
    }

    /// Drops the first bytes, before anything has gone to a file.
    pub(crate) fn drop_front(&self, bytes: u64) {
        let mut state = self.lock();
        let count = usize::try_from(bytes).unwrap_or(usize::MAX).min(state.memory.len());
        drop(state.memory.split_to(count));
    }

    /// Drops everything behind so many bytes, as far as it is still in memory: how many these were.
    pub(crate) fn cut(&self, bytes: u64) -> u64 {
        let mut state = self.lock();
        let keep = usize::try_from(bytes.saturating_sub(state.file_bytes)).unwrap_or(usize::MAX);
        let surplus = state.memory.len().saturating_sub(keep);
        state.memory.truncate(keep);
        surplus as u64
    }

    /// The first so many bytes are the response's: shows them to those who read, and tells those who wait.
    pub(crate) fn show(&self, bytes: u64) {
        let mut state = self.lock();
        state.visible = bytes.clamp(state.visible, state.total().max(state.visible));
        drop(state);
        self.0.arrived.notify_waiters();
    }

    /// Nothing more will come, and all that is there is the response's.
    pub(crate) fn complete(&self) {
        let mut state = self.lock();
        if state.complete.is_some() {
            return;
        }
        let memory = std::mem::take(&mut state.memory);
        // A short answer does not hold on to a long buffer.
        let is_roomy = memory.len() < memory.capacity() / 4;
        state.complete = Some(if is_roomy { Bytes::copy_from_slice(&memory) } else { memory.freeze() });
        state.visible = state.total();
        drop(state);
        self.0.arrived.notify_waiters();
    }

    /// Starts anew, for a second try. Nothing may have been shown.
    pub(crate) fn clear(&self) {
        let mut state = self.lock();
        state.memory.clear();
        (state.file, state.file_bytes) = (None, 0);
    }

    /// Brings what is over the measure into the file, away from the thread that serves the sockets.
    pub(crate) async fn spill(&self, memory_max: usize, folder: Option<&Path>) -> io::Result<()> {
        let (file, at, piece) = {
            let state = self.lock();
            // What may be dropped again stays where it can be; heads have a limit of their own.
            if state.visible < state.total() {
                return Ok(());
            }
            let most = if state.file.is_some() { SPILL_BYTES } else { memory_max.max(FIRST_BYTES) };
            if state.memory.len() < most {
                return Ok(());
            }
            let piece = Bytes::copy_from_slice(&state.memory);
            (state.file.clone(), state.file_bytes, piece)
        };
        let (length, folder) = (piece.len(), folder.map(Path::to_owned));
        let written = tokio::task::spawn_blocking(move || write(file, at, &piece, folder.as_deref())).await;
        let file = written.map_err(io::Error::other)??;
        let mut state = self.lock();
        state.file = Some(file);
        state.file_bytes += length as u64;
        // Only the exchange that waits here adds to it.
        state.memory.clear();
        if state.memory.capacity() > 2 * SPILL_BYTES {
            state.memory = BytesMut::with_capacity(SPILL_BYTES + READ_BYTES);
        }
        Ok(())
    }
}

fn write(
    file: Option<Arc<Mutex<File>>>,
    at: u64,
    piece: &[u8],
    folder: Option<&Path>,
) -> io::Result<Arc<Mutex<File>>> {
    let file = match (file, folder) {
        (Some(file), _) => file,
        (None, Some(folder)) => Arc::new(Mutex::new(tempfile::tempfile_in(folder)?)),
        (None, None) => Arc::new(Mutex::new(tempfile::tempfile()?)),
    };
    let mut open = file.lock().unwrap_or_else(PoisonError::into_inner);
    open.seek(SeekFrom::Start(at))?;
    open.write_all(piece)?;
    drop(open);
    Ok(file)
}

/// Completes what is kept however its exchange ends, so that nobody waits for ever for what will not come.
#[derive(Debug)]
pub(crate) struct Completes(pub(crate) Kept);

impl Drop for Completes {
    fn drop(&mut self) {
        // Nobody will judge what was not shown.
        let visible = self.0.len();
        self.0.cut(visible);
        self.0.complete();
    }
}

/// Reads kept bytes. At the end of what has arrived it says that there is no more; ask again later, or use [`Arrivals`].
#[derive(Debug)]
pub struct KeptReader {
    kept: Kept,
    at: u64,
}

impl Read for KeptReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (file, length) = {
            let state = self.kept.lock();
            if self.at >= state.file_bytes {
                let from = usize::try_from(self.at - state.file_bytes).unwrap_or(usize::MAX);
                let count = Read::read(&mut state.visible_tail().get(from..).unwrap_or_default(), buffer)?;
                self.at += count as u64;
                return Ok(count);
            }
            (state.file.clone(), state.file_bytes)
        };
        let Some(file) = file else { return Ok(0) };
        let room = usize::try_from(length - self.at).unwrap_or(usize::MAX).min(buffer.len());
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at))?;
        let count = file.read(buffer.get_mut(..room).unwrap_or_default())?;
        self.at += count as u64;
        Ok(count)
    }
}

/// The bytes piece by piece, as they arrive.
#[derive(Debug)]
pub struct Arrivals {
    reader: KeptReader,
}

impl Arrivals {
    /// The next piece; waits for it if need be. `None` once all have come.
    pub async fn next(&mut self) -> io::Result<Option<Bytes>> {
        let kept = self.reader.kept.clone();
        loop {
            let told = kept.0.arrived.notified();
            let mut told = pin!(told);
            told.as_mut().enable();
            let is_complete = kept.is_complete();
            let mut piece = vec![0; READ_BYTES];
            let count = self.reader.read(&mut piece)?;
            if count > 0 {
                piece.truncate(count);
                return Ok(Some(piece.into()));
            }
            if is_complete {
                return Ok(None);
            }
            told.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kept: &Kept) -> Vec<u8> {
        let mut bytes = Vec::new();
        kept.reader().read_to_end(&mut bytes).unwrap();
        bytes
    }

    async fn fill(kept: &Kept, mut source: &[u8]) {
        while !source.is_empty() {
            std::future::poll_fn(|context| kept.poll_fill(&mut source, context)).await.unwrap();
        }
    }

    #[tokio::test]
    async fn long_bytes_go_to_a_file_and_come_back() {
        let kept = Kept::default();
        let source: Vec<u8> = (0..1_000_000_u32).map(|number| (number % 251) as u8).collect();
        for piece in source.chunks(10_000) {
            fill(&kept, piece).await;
            kept.show(u64::MAX);
            kept.spill(100_000, None).await.unwrap();
        }
        kept.complete();
        assert!(kept.is_spilled() && kept.in_memory().is_none());
        assert_eq!(kept.len(), source.len() as u64);
        assert!(read(&kept) == source);
        let mut tail = Vec::new();
        kept.reader_from(999_990).read_to_end(&mut tail).unwrap();
        assert_eq!(tail, source[999_990..]);
    }

    #[tokio::test]
    async fn readers_wait_for_what_is_to_come() {
        let kept = Kept::default();
        let mut arrivals = kept.arrivals();
        let reader = tokio::spawn(async move {
            let mut all = Vec::new();
            while let Some(piece) = arrivals.next().await.unwrap() {
                all.extend_from_slice(&piece);
            }
            all
        });
        for piece in [&b"one "[..], b"two ", b"three"] {
            fill(&kept, piece).await;
            kept.show(u64::MAX);
            tokio::task::yield_now().await;
        }
        kept.complete();
        assert_eq!(reader.await.unwrap(), b"one two three");
        assert_eq!(kept.in_memory().unwrap(), b"one two three"[..]);
    }

    #[tokio::test]
    async fn front_and_surplus_are_dropped() {
        let kept = Kept::default();
        fill(&kept, b"interim|response|garbage").await;
        kept.drop_front(8);
        assert_eq!(kept.cut(8), 8);
        kept.show(8);
        assert_eq!(read(&kept), b"response");
        assert_eq!(kept.look(4, <[u8]>::to_vec), b"onse");
    }

    #[tokio::test]
    async fn only_what_is_shown_is_seen_and_goes_to_the_file() {
        let kept = Kept::default();
        fill(&kept, &[b'x'; 70_000]).await;
        kept.spill(1, None).await.unwrap();
        assert!(!kept.is_spilled() && kept.is_empty() && read(&kept).is_empty());
        kept.show(10);
        assert_eq!((kept.len(), read(&kept).len(), kept.in_memory().unwrap().len()), (10, 10, 10));
        drop(Completes(kept.clone()));
        assert_eq!((kept.is_complete(), kept.len(), read(&kept).len()), (true, 10, 10));
    }
}
