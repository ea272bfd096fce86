//! Redirects of seeds.

use scope::{Follow, Scope};

use super::graph::{Graph, check};
use super::{is_in, plan, scope, url};

#[test]
fn a_seed_that_leads_to_www_and_https_brings_its_new_host_in() {
    let graph = Graph::new(
        "
        http://example.org/: R https://example.org/
        https://example.org/: R https://www.example.org/
        https://www.example.org/: L https://www.example.org/a, L https://other.example.org/
    ",
    );
    let seed = "http://example.org/";
    let expect = [seed, "https://example.org/", "https://www.example.org/", "https://www.example.org/a"];
    check(&graph, &scope("host", seed), &[seed], &expect);
    check(&graph, &scope("prefix", seed), &[seed], &expect);
}

#[test]
fn a_seed_that_leads_to_another_domain_brings_one_page_in() {
    let scope = scope("host", "http://example.org/");
    let to = url("https://consent.example.com/ask");
    assert_eq!(scope.follow_seed(&url("http://example.org/"), &to), Follow::PageOnly);
    assert!(is_in(&scope, to.as_str(), "R"));
    assert!(!is_in(&scope, "https://consent.example.com/other", "RL"));
}

#[test]
fn only_seeds_are_followed_and_each_once() {
    let scope = scope("host", "http://example.org/");
    let (seed, www) = (url("http://example.org/"), url("https://www.example.org/"));
    assert_eq!(scope.follow_seed(&url("http://example.org/a"), &www), Follow::NoSeed);
    assert!(!is_in(&scope, www.as_str(), "LR"));
    assert_eq!(scope.follow_seed(&seed, &www), Follow::Widened);
    assert_eq!(scope.follow_seed(&seed, &www), Follow::Known);
    assert_eq!(scope.follow_seed(&www, &seed), Follow::Known);
}

#[test]
fn what_was_followed_can_be_told_to_a_new_scope() {
    let plan = plan("host", "http://example.org/");
    let first = Scope::new(&plan).unwrap();
    first.follow_seed(&url("http://example.org/"), &url("https://example.org/home"));
    first.follow_seed(&url("https://example.org/home"), &url("https://www.example.org/"));
    let second = Scope::new(&plan).unwrap();
    for (from, to) in first.followed() {
        assert_eq!(second.follow_seed(&url(&from), &url(&to)), Follow::Widened);
    }
    assert!(is_in(&second, "https://www.example.org/a", "RRL"));
    assert_eq!(first.followed(), second.followed());
}

#[test]
fn no_more_redirects_are_remembered_than_the_limit_says() {
    let mut plan = plan("host", "http://example.org/");
    plan.limits.followed_max = 2;
    let scope = Scope::new(&plan).unwrap();
    let seed = url("http://example.org/");
    let follows: Vec<Follow> = (0..3)
        .map(|number| scope.follow_seed(&seed, &url(&format!("http://h{number}.example.org/"))))
        .collect();
    assert_eq!(follows, [Follow::Widened, Follow::Widened, Follow::Full]);
}

#[test]
fn threads_may_follow_and_ask_at_once() {
    let scope = scope("host", "http://example.org/");
    std::thread::scope(|threads| {
        for thread in 0..4 {
            let scope = &scope;
            threads.spawn(move || {
                for number in 0..100 {
                    let to = url(&format!("http://t{thread}n{number}.example.org/"));
                    assert_eq!(scope.follow_seed(&url("http://example.org/"), &to), Follow::Widened);
                    assert!(is_in(scope, to.as_str(), "R"));
                }
            });
        }
    });
    assert_eq!(scope.followed().len(), 400);
}

#[test]
fn followed_folders_take_in_what_is_below_them_whatever_their_order() {
    let seed = "http://example.org/a/";
    for order in [["/x/y/", "/x/", "/x-y/"], ["/x-y/", "/x/", "/x/y/"], ["/x/", "/x/y/", "/x-y/"]] {
        let scope = scope("prefix", seed);
        for to in order {
            let to = url(&format!("http://example.org{to}"));
            assert_eq!(scope.follow_seed(&url(seed), &to), Follow::Widened);
        }
        // What the preset takes in anyway.
        assert_eq!(scope.follow_seed(&url(seed), &url("http://example.org/a/b/")), Follow::Widened);
        for (path, expect) in [
            ("x/1", true),
            ("x/y/1", true),
            ("x/z/1", true),
            ("x-y/1", true),
            ("x-z/1", false),
            ("w/", false),
        ] {
            assert_eq!(
                is_in(&scope, &format!("http://example.org/{path}"), "L"),
                expect,
                "{order:?}: {path}"
            );
        }
    }
}
