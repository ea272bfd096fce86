//! Reads a file on a thread of its own, which also takes its checksum.
//!
//! So reading and working go on side by side, and a place that hangs (a dead mount, a silent server) holds up nobody: whoever
//! waits looks at the clock, and leaves the thread behind when time is up.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;

use store::Sealed;
use warc::{Algorithm, Hasher};

use crate::origin::Origin;
use crate::watch::{LOOK_EVERY, Over, Watch};

/// Bytes that are read in one go.
const PIECE_BYTES: usize = 128 << 10;
/// Pieces that lie ready.
const PIECES: usize = 4;
/// Threads that were left behind, beyond which no file is begun any more: then it is not the files that are at fault.
const LEFT_BEHIND_MAX: usize = 64;

/// What of all files is counted together.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Bytes that were read.
    pub(crate) bytes: AtomicU64,
    /// Threads that read, those that hang included.
    readers: AtomicUsize,
}

/// The bytes of one file, as they arrive.
pub(crate) struct Source {
    pieces: Receiver<Message>,
    /// Emptied pieces go back, so that memory is asked for once.
    spare: SyncSender<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
    end: Option<End>,
    watch: Arc<Watch>,
    tally: Arc<Tally>,
}

enum Message {
    Piece(Vec<u8>),
    End(End),
}

/// How reading ended.
#[derive(Debug, Clone)]
pub(crate) enum End {
    /// All was read; its SHA-256 in hex.
    Read(String),
    /// The place failed.
    Failed(String),
}

impl Source {
    /// Begins to read, unless too many have hung already.
    pub(crate) fn open(
        file: &Sealed,
        origin: &Origin,
        watch: &Arc<Watch>,
        tally: &Arc<Tally>,
        threads: usize,
    ) -> Source {
        let (sender, pieces) = mpsc::sync_channel(PIECES);
        let (spare, spares) = mpsc::sync_channel(PIECES + 1);
        let mut source = Source {
            pieces,
            spare,
            piece: Vec::new(),
            at: 0,
            end: None,
            watch: watch.clone(),
            tally: tally.clone(),
        };
        if tally.readers.fetch_add(1, Ordering::Relaxed) >= threads.saturating_add(LEFT_BEHIND_MAX) {
            tally.readers.fetch_sub(1, Ordering::Relaxed);
            source.end = Some(End::Failed("too many files hang where they are read".to_owned()));
            return source;
        }
        let (file, origin) = (file.clone(), origin.clone());
        let counted = Counted(tally.clone());
        let spawned = thread::Builder::new().name("batch reader".to_owned()).spawn(move || {
            let _counted = counted;
            // Nobody may be listening any more; then it does not matter.
            let _ = sender.send(Message::End(pump(&file, &origin, &sender, &spares)));
        });
        if let Err(error) = spawned {
            source.end = Some(End::Failed(format!("no thread can be had to read it: {error}")));
        }
        source
    }

    /// How reading ended, if it has.
    pub(crate) fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Reads what is left, for its checksum.
    pub(crate) fn finish(&mut self) -> io::Result<&str> {
        while self.fill()? {
            self.at = self.piece.len();
        }
        match &self.end {
            Some(End::Read(sha256)) => Ok(sha256),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Makes bytes available: false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        loop {
            if let Some(over) = self.watch.over() {
                return Err(io::Error::other(match over {
                    Over::Time => "time was up",
                    Over::Stopped => "stopped",
                }));
            }
            match &self.end {
                _ if self.at < self.piece.len() => return Ok(true),
                None => {}
                Some(End::Read(_)) => return Ok(false),
                Some(End::Failed(why)) => return Err(io::Error::other(why.clone())),
            }
            match self.pieces.recv_timeout(LOOK_EVERY) {
                Ok(Message::Piece(piece)) => {
                    self.tally.bytes.fetch_add(piece.len() as u64, Ordering::Relaxed);
                    let _ = self.spare.try_send(std::mem::replace(&mut self.piece, piece));
                    self.at = 0;
                }
                Ok(Message::End(end)) => self.end = Some(end),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.end = Some(End::Failed("reading it ended without a word".to_owned()));
                }
            }
        }
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() || !self.fill()? {
            return Ok(0);
        }
        let mut unread = self.piece.get(self.at..).unwrap_or_default();
        let count = unread.read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

/// Takes itself off the count, also where the reader panics.
struct Counted(Arc<Tally>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.readers.fetch_sub(1, Ordering::Relaxed);
    }
}

fn pump(file: &Sealed, origin: &Origin, pieces: &SyncSender<Message>, spares: &Receiver<Vec<u8>>) -> End {
    let mut opened = match origin.open(file) {
        Ok(opened) => opened,
        Err(error) => return End::Failed(told(&error)),
    };
    let mut hasher = Hasher::new(Algorithm::Sha256);
    loop {
        let mut piece = spares.try_recv().unwrap_or_default();
        piece.resize(PIECE_BYTES, 0);
        let count = match opened.read(&mut piece) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return End::Failed(told(&error)),
        };
        if count == 0 {
            return End::Read(hasher.finish().hex());
        }
        piece.truncate(count);
        hasher.update(&piece);
        if pieces.send(Message::Piece(piece)).is_err() {
            return End::Failed("not wanted any more".to_owned());
        }
    }
}

/// An error with its causes.
fn told(error: &io::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
