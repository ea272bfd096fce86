//! What is due and has been read from the database: in line before each host, so that a large one keeps nobody waiting.

use std::collections::{HashMap, HashSet, VecDeque};

use jiff::Timestamp;
use url::Url;

use crate::address::gate_host;
use crate::watching::Watch;

/// Watches that are kept in memory at once, under way or in line.
const WATCHES_MAX: usize = 4_096;
/// Watches that are in line before one host; what is beyond them is read again later.
const LINE_MAX: usize = 256;
/// With so few in line it is time to read more.
const LOW: usize = 512;

/// Whether there is room for what is due, the least of it last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Room {
    /// For all of it.
    Enough,
    /// Not before some host.
    LineFull,
    /// For nothing more.
    None,
}

/// Watches in line.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    lines: HashMap<String, Line>,
    /// URLs under way or in line.
    urls: HashSet<String>,
    waiting: usize,
    /// Hosts that could be asked if there were room, each once.
    ready: VecDeque<String>,
}

#[derive(Debug, Default)]
struct Line {
    under_way: usize,
    waiting: VecDeque<Turn>,
    is_ready: bool,
}

/// A watch whose turn it is.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) watch: Watch,
    pub(crate) host: String,
    /// Since when it was in line.
    pub(crate) since: Timestamp,
}

impl Queue {
    /// Puts a watch in line, if there is room for it.
    pub(crate) fn offer(&mut self, watch: Watch, now: Timestamp) -> Room {
        if self.urls.contains(&watch.url) {
            return Room::Enough;
        }
        if self.urls.len() >= WATCHES_MAX {
            return Room::None;
        }
        let host = Url::parse(&watch.url).map(|url| gate_host(&url)).unwrap_or_default();
        let line = self.lines.entry(host.clone()).or_default();
        if line.waiting.len() >= LINE_MAX {
            return Room::LineFull;
        }
        self.urls.insert(watch.url.clone());
        line.waiting.push_back(Turn { watch, host: host.clone(), since: now });
        self.waiting += 1;
        self.make_ready(&host);
        Room::Enough
    }

    /// The next one, of a host that has not as many under way as this.
    pub(crate) fn next(&mut self, per_host: usize) -> Option<Turn> {
        // Those who have to wait come back when one of theirs is done.
        while let Some(host) = self.ready.pop_front() {
            let Some(line) = self.lines.get_mut(&host) else { continue };
            line.is_ready = false;
            if line.under_way >= per_host.max(1) {
                continue;
            }
            let Some(turn) = line.waiting.pop_front() else { continue };
            line.under_way += 1;
            self.waiting -= 1;
            self.make_ready(&host);
            return Some(turn);
        }
        None
    }

    /// One is done.
    pub(crate) fn done(&mut self, host: &str, url: &str) {
        self.urls.remove(url);
        let Some(line) = self.lines.get_mut(host) else { return };
        line.under_way = line.under_way.saturating_sub(1);
        if line.under_way == 0 && line.waiting.is_empty() {
            self.lines.remove(host);
        } else {
            self.make_ready(host);
        }
    }

    /// Whether it is time to read more, by how much room there was the last time.
    pub(crate) fn is_low(&self, room: Room) -> bool {
        match room {
            Room::Enough | Room::None => self.waiting < LOW,
            // Reading on would find what is passed over again, until some of it has gone.
            Room::LineFull => self.waiting < LINE_MAX / 4,
        }
    }

    /// Whether nothing is in line or under way.
    pub(crate) fn is_empty(&self) -> bool {
        self.urls.is_empty()
    }

    fn make_ready(&mut self, host: &str) {
        if let Some(line) = self.lines.get_mut(host)
            && !line.is_ready
            && !line.waiting.is_empty()
        {
            line.is_ready = true;
            self.ready.push_back(host.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watching::Wish;

    fn watch(id: i64, url: &str) -> Watch {
        let (owner, url, wish) = ("me".to_owned(), url.to_owned(), Wish::default());
        Watch { id, owner, url, wish, due_at: Timestamp::UNIX_EPOCH, added_at: Timestamp::UNIX_EPOCH }
    }

    fn offer(queue: &mut Queue, url: &str) -> bool {
        queue.offer(watch(1, url), Timestamp::UNIX_EPOCH) == Room::Enough
    }

    #[test]
    fn hosts_take_turns_and_have_so_many_under_way() {
        let mut queue = Queue::default();
        for url in ["http://a/1", "http://a/2", "http://a/3", "http://b/1", "http://a/1"] {
            assert!(offer(&mut queue, url));
        }
        let next = |queue: &mut Queue| queue.next(2).map(|turn| turn.watch.url);
        assert_eq!(next(&mut queue).as_deref(), Some("http://a/1"));
        assert_eq!(next(&mut queue).as_deref(), Some("http://b/1"));
        assert_eq!(next(&mut queue).as_deref(), Some("http://a/2"));
        assert_eq!(next(&mut queue), None);
        queue.done("a", "http://a/1");
        assert_eq!(next(&mut queue).as_deref(), Some("http://a/3"));
        for (host, url) in [("a", "http://a/2"), ("a", "http://a/3"), ("b", "http://b/1")] {
            queue.done(host, url);
        }
        assert!(queue.is_empty() && queue.lines.is_empty());
    }

    #[test]
    fn a_line_is_bounded_and_so_is_the_whole() {
        let mut queue = Queue::default();
        let of_one = (0..1000).filter(|number| offer(&mut queue, &format!("http://a/{number}"))).count();
        assert_eq!(of_one, LINE_MAX);
        let of_others = (0..9000).filter(|number| offer(&mut queue, &format!("http://h{number}/"))).count();
        assert_eq!(of_one + of_others, WATCHES_MAX);
    }
}
