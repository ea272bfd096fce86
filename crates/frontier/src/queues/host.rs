//! The lanes of one host, lowest precedence first.

use std::sync::Arc;

use super::lane::Lane;

/// A host and its lanes; those without entries are not kept.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) name: Arc<str>,
    lanes: Vec<Lane>,
}

impl Host {
    pub(crate) fn new(name: Arc<str>) -> Host {
        Host { name, lanes: Vec::new() }
    }

    pub(crate) fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    pub(crate) fn lane_mut(&mut self, precedence: u8) -> Option<&mut Lane> {
        self.lanes.iter_mut().find(|lane| lane.precedence == precedence)
    }

    /// The lane of a precedence; an empty one if there was none.
    pub(crate) fn lane_or_new(&mut self, precedence: u8) -> Option<&mut Lane> {
        let place = self.lanes.partition_point(|lane| lane.precedence < precedence);
        if self.lanes.get(place).is_none_or(|lane| lane.precedence != precedence) {
            self.lanes.insert(place, Lane::new(precedence, 0, 0));
        }
        self.lanes.get_mut(place)
    }

    pub(crate) fn insert(&mut self, lane: Lane) {
        let place = self.lanes.partition_point(|other| other.precedence < lane.precedence);
        self.lanes.insert(place, lane);
    }

    /// Bytes that the lanes before this one, whose entries come first, have in memory.
    pub(crate) fn ahead_bytes_before(&self, precedence: u8) -> usize {
        self.lanes.iter().take_while(|lane| lane.precedence < precedence).map(Lane::ahead_bytes).sum()
    }

    /// Leaves to the disk what does not fit into so many bytes, what comes last first. Says how many bytes that frees.
    pub(crate) fn trim(&mut self, bytes_max: usize) -> usize {
        let (mut left, mut freed) = (bytes_max, 0);
        for lane in &mut self.lanes {
            freed += lane.trim(left);
            left = left.saturating_sub(lane.ahead_bytes());
        }
        freed
    }

    /// The lane whose entry is next.
    pub(crate) fn next_lane(&mut self) -> Option<&mut Lane> {
        self.lanes.iter_mut().find(|lane| lane.waiting() > 0)
    }

    /// Entries that can be taken.
    pub(crate) fn waiting(&self) -> u32 {
        self.lanes.iter().map(Lane::waiting).fold(0, u32::saturating_add)
    }

    /// Forgets all that can be taken. Says how many bytes that frees.
    pub(crate) fn clear(&mut self) -> usize {
        let freed = self.lanes.iter_mut().map(Lane::clear).sum();
        self.lanes.retain(|lane| lane.entries() > 0);
        freed
    }

    /// Removes a lane that has no entries any more.
    pub(crate) fn prune(&mut self, precedence: u8) {
        self.lanes.retain(|lane| lane.precedence != precedence || lane.entries() > 0);
        if self.lanes.is_empty() {
            self.lanes = Vec::new();
        }
    }

    /// Whether no entry is left, not even in flight.
    pub(crate) fn is_idle(&self) -> bool {
        self.lanes.is_empty()
    }
}
