//! C1: the width of the link store, on webs that are made up.

use frontier::{End, Frontier, Settings, Settled, Wish};
use tempfile::TempDir;

/// A web in which each page has ten links, one to where we have been and most to where nobody was.
fn links(wish: &Wish, number: u64) -> Vec<Wish> {
    let new = (0..9).map(|link| {
        let host = format!("h{}", (number + link) % 3);
        let url = format!("http://{host}/{number}-{link}");
        Wish { url, host, hops: format!("{}L", wish.hops), ..Wish::default() }
    });
    new.chain([Wish { hops: format!("{}L", wish.hops), ..wish.clone() }]).collect()
}

/// Fetches so many pages; says at which distance each of them was.
fn crawl(requests: usize, width: Option<u32>) -> Vec<u32> {
    let folder = TempDir::new().unwrap();
    let settings = Settings { width, ..Settings::default() };
    let frontier = Frontier::open(&folder.path().join("f"), &settings).unwrap();
    let seed = Wish { url: "http://h0/".to_owned(), host: "h0".to_owned(), ..Wish::default() };
    frontier.offer(vec![seed]).unwrap();
    let mut distances = Vec::new();
    for turn in 0.. {
        let Some(turn) = frontier.take(&format!("h{}", turn % 3)).unwrap() else { continue };
        distances.push(turn.wish.distance());
        if distances.len() == requests {
            break;
        }
        let found = links(&turn.wish, distances.len() as u64);
        frontier.settle(vec![Settled { id: turn.id, end: End::Done, found }], b"").unwrap();
    }
    distances
}

fn average(distances: &[u32]) -> f64 {
    distances.iter().copied().map(f64::from).sum::<f64>() / distances.len() as f64
}

#[track_caller]
fn check(requests: usize, width: u32) {
    let distances = crawl(requests, Some(width));
    let predicted = requests as f64 / (2.0 * f64::from(width));
    let found = average(&distances);
    assert!((found / predicted - 1.0).abs() <= 0.2, "{found} at {requests} and {width}, not {predicted}");
    for distance in 0..=*distances.iter().max().unwrap() {
        let count = distances.iter().filter(|other| **other == distance).count();
        assert!(count <= width as usize, "{count} pages at distance {distance}");
    }
}

#[test]
fn c1_the_average_distance_is_half_the_requests_by_the_width() {
    check(1000, 20);
    check(1000, 50);
    check(400, 5);
}

#[test]
fn c1_without_a_width_a_crawl_stays_near() {
    assert!(average(&crawl(1000, None)) < 4.0);
}

#[test]
fn c1_seeds_and_what_pages_embed_need_no_width() {
    let folder = TempDir::new().unwrap();
    let settings = Settings { width: Some(2), ..Settings::default() };
    let frontier = Frontier::open(&folder.path().join("f"), &settings).unwrap();
    let wish = |n: u32, hops: &str| Wish {
        url: format!("http://a/{n}"),
        host: "a".to_owned(),
        hops: hops.to_owned(),
        ..Wish::default()
    };
    let offer = |hops: &str, from: u32| {
        let offered = frontier.offer((from..from + 5).map(|n| wish(n, hops)).collect()).unwrap();
        (offered.new, offered.over_width)
    };
    assert_eq!(offer("", 0), (5, 0));
    assert_eq!(offer("LE", 10), (5, 0));
    assert_eq!(offer("L", 20), (2, 3));
    // A seed that redirects is a seed still, an embed an embed; a redirected link needs the link's width.
    assert_eq!(offer("R", 100), (5, 0));
    assert_eq!(offer("ER", 110), (5, 0));
    assert_eq!(offer("EM", 120), (5, 0));
    assert_eq!(offer("LR", 30), (0, 5));
    assert_eq!(offer("XM", 40), (2, 3));
    // What found its distance full may have better luck further away.
    assert_eq!(offer("LLL", 20), (2, 1));
    assert_eq!(frontier.counts().over_width, 12);
    drop(frontier);
    let frontier = Frontier::open(&folder.path().join("f"), &settings).unwrap();
    assert_eq!(frontier.offer(vec![wish(50, "L")]).unwrap().over_width, 1);
}

#[test]
fn c1_seeds_that_redirect_are_all_kept() {
    let folder = TempDir::new().unwrap();
    let settings = Settings { width: Some(3), ..Settings::default() };
    let frontier = Frontier::open(&folder.path().join("f"), &settings).unwrap();
    let wish = |name: String, hops: &str| Wish {
        url: format!("http://a/{name}"),
        host: "a".to_owned(),
        hops: hops.to_owned(),
        ..Wish::default()
    };
    frontier.offer((0..20).map(|seed| wish(format!("seed{seed}"), "")).collect()).unwrap();
    for seed in 0..20 {
        let turn = frontier.take("a").unwrap().unwrap();
        let found = vec![wish(format!("target{seed}"), "R")];
        let offered = frontier.settle(vec![Settled { id: turn.id, end: End::Done, found }], b"").unwrap();
        assert_eq!((offered.new, offered.over_width), (1, 0), "seed {seed}");
    }
}

#[track_caller]
fn check_distance(hops: &str, expect: u32) {
    let wish = Wish { hops: hops.to_owned(), ..Wish::default() };
    assert_eq!(wish.distance(), expect, "{hops}");
    assert_eq!(scope::distance(hops), expect, "{hops}");
}

#[test]
fn the_distance_is_that_of_the_scope() {
    check_distance("R", 0);
    check_distance("LR", 1);
    check_distance("ER", 0);
    check_distance("EM", 0);
    check_distance("EXM", 1);
    let mut ways = vec![String::new()];
    for _ in 0..5 {
        ways = ways
            .iter()
            .flat_map(|way| "LEXRMP?".chars().map(move |hop| format!("{way}{hop}")))
            .inspect(|way| check_distance(way, scope::distance(way)))
            .collect();
    }
}
