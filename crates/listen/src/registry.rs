//! The connections of a listener, and which of them is closed for a newcomer.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use crate::Limits;
use crate::activity::Activity;

/// All connections of a listener.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    last_id: u64,
    clients: HashMap<IpAddr, BTreeMap<u64, Arc<Activity>>>,
    connections: usize,
}

/// A connection in the registry.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    client: IpAddr,
    id: u64,
    pub(crate) activity: Arc<Activity>,
}

impl Registry {
    /// Adds a connection from this address. Where there are too many it closes another one; `None` if no connection may be
    /// closed.
    pub(crate) fn admit(&mut self, address: IpAddr, limits: &Limits) -> Option<Entry> {
        let client = client_of(address);
        let own = self.clients.get(&client).map_or(0, BTreeMap::len);
        let has_place = match own >= limits.per_address {
            true => self.evict_one_of(client, limits),
            false => self.connections < limits.connections || self.evict_one(limits),
        };
        has_place.then(|| self.add(client))
    }

    /// Closes a connection that waits for its client, of the client that has the most; says whether there was one.
    pub(crate) fn evict_one(&mut self, limits: &Limits) -> bool {
        let mut clients: Vec<(usize, IpAddr)> =
            self.clients.iter().map(|(client, all)| (all.len(), *client)).collect();
        clients.sort_unstable_by(|one, two| two.cmp(one));
        clients.into_iter().any(|(_, client)| self.evict_one_of(client, limits))
    }

    /// Forgets a connection that has ended.
    pub(crate) fn remove(&mut self, entry: &Entry) {
        let Some(all) = self.clients.get_mut(&entry.client) else { return };
        if all.remove(&entry.id).is_some() {
            self.connections -= 1;
        }
        if all.is_empty() {
            self.clients.remove(&entry.client);
        }
    }

    fn add(&mut self, client: IpAddr) -> Entry {
        self.last_id += 1;
        let entry = Entry { client, id: self.last_id, activity: Activity::new() };
        self.clients.entry(client).or_default().insert(entry.id, Arc::clone(&entry.activity));
        self.connections += 1;
        entry
    }

    fn evict_one_of(&mut self, client: IpAddr, limits: &Limits) -> bool {
        let Some(all) = self.clients.get(&client) else { return false };
        let ranked = all.iter().filter_map(|(id, activity)| Some((activity.eviction_rank(limits)?, *id)));
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_unstable();
        // The first may have moved on since.
        let evicted =
            ranked.into_iter().find(|(_, id)| all.get(id).is_some_and(|activity| activity.evict(limits)));
        let Some((_, id)) = evicted else { return false };
        self.remove(&Entry { client, id, activity: Activity::new() });
        true
    }
}

/// Who an address belongs to: a whole /64 of IPv6 is one client.
fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::pace::Transfer;

    fn limits(connections: usize, per_address: usize) -> Limits {
        Limits { connections, per_address, ..Limits::default() }
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([127, 0, 0, last])
    }

    fn is_evicted(entry: &Entry) -> bool {
        entry.activity.start_request().is_none()
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_address_replaces_its_own_oldest_connection() {
        let (mut registry, limits) = (Registry::default(), limits(10, 2));
        let other = registry.admit(address(9), &limits).unwrap();
        tokio::time::advance(Duration::from_secs(1)).await;
        let first = registry.admit(address(1), &limits).unwrap();
        tokio::time::advance(Duration::from_secs(1)).await;
        let second = registry.admit(address(1), &limits).unwrap();
        assert!(registry.admit(address(1), &limits).is_some());
        assert!(is_evicted(&first));
        assert!(!is_evicted(&second) && !is_evicted(&other));
        assert_eq!(registry.connections, 3);
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_listener_replaces_a_connection_of_the_client_with_the_most() {
        let (mut registry, limits) = (Registry::default(), limits(4, 3));
        let victim = registry.admit(address(2), &limits).unwrap();
        tokio::time::advance(Duration::from_secs(1)).await;
        let greedy: Vec<Entry> = (0..3).map(|_| registry.admit(address(1), &limits).unwrap()).collect();
        assert!(registry.admit(address(3), &limits).is_some());
        assert_eq!(greedy.iter().filter(|entry| is_evicted(entry)).count(), 1);
        assert!(!is_evicted(&victim));
    }

    #[tokio::test(start_paused = true)]
    async fn connections_that_completed_a_request_are_closed_last_and_busy_ones_never() {
        let (mut registry, limits) = (Registry::default(), limits(3, 3));
        let answered = registry.admit(address(1), &limits).unwrap();
        drop(answered.activity.start_request());
        answered.activity.note_flushed();
        tokio::time::advance(Duration::from_secs(1)).await;
        let busy = registry.admit(address(1), &limits).unwrap();
        let request = busy.activity.start_request();
        let silent = registry.admit(address(1), &limits).unwrap();
        assert!(registry.admit(address(1), &limits).is_some());
        assert!(is_evicted(&silent) && !is_evicted(&answered));
        let third = registry.clients[&address(1)].values().last().unwrap().clone();
        let requests = [third.start_request(), answered.activity.start_request()];
        assert!(registry.admit(address(1), &limits).is_none());
        drop((request, requests));
    }

    #[tokio::test(start_paused = true)]
    async fn idle_connections_go_first_then_heads_then_uploads_then_responses_the_longest_stalled_first() {
        let (mut registry, limits) = (Registry::default(), limits(6, 6));
        let all: Vec<Entry> = (0..6).map(|_| registry.admit(address(1), &limits).unwrap()).collect();
        let [response, upload, late_upload, head, idle, busy] = &all[..] else { panic!("six") };
        let mut requests = Vec::new();
        for (entry, transfer) in [
            (response, Some(Transfer::Response)),
            (upload, Some(Transfer::Upload)),
            (late_upload, Some(Transfer::Upload)),
            (busy, None),
        ] {
            requests.push(entry.activity.start_request());
            if let Some(transfer) = transfer {
                entry.activity.wait(transfer, &limits);
            }
            tokio::time::advance(Duration::from_secs(3)).await;
        }
        head.activity.note_received();
        let mut newcomers = Vec::new();
        for victim in [idle, head, upload, late_upload, response] {
            let newcomer = registry.admit(address(1), &limits).unwrap();
            requests.push(newcomer.activity.start_request());
            newcomers.push(newcomer);
            assert!(is_evicted(victim));
        }
        assert!(registry.admit(address(1), &limits).is_none());
        assert!(!is_evicted(busy));
    }

    #[tokio::test]
    async fn connections_that_ended_free_their_place() {
        let (mut registry, limits) = (Registry::default(), limits(1, 1));
        let entry = registry.admit(address(1), &limits).unwrap();
        let request = entry.activity.start_request();
        assert!(registry.admit(address(1), &limits).is_none());
        registry.remove(&entry);
        assert!(registry.admit(address(2), &limits).is_some());
        drop(request);
        assert_eq!((registry.connections, registry.clients.len()), (1, 1));
    }

    #[test]
    fn a_client_is_an_ipv4_address_or_an_ipv6_prefix_of_64_bits() {
        let client = |text: &str| client_of(text.parse().unwrap()).to_string();
        assert_eq!(client("127.0.0.1"), "127.0.0.1");
        assert_eq!(client("::ffff:127.0.0.1"), "127.0.0.1");
        assert_eq!(client("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }
}
