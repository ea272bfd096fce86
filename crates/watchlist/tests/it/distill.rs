//! Distill.

use std::time::Duration;

use watchlist::Pace;

use super::{one, rules};

#[test]
fn a_monitor_is_read() {
    let entry = one(r#"{"client": {"local": 1}, "data": [{
            "name": "News", "uri": "https://example.org/blog", "tags": ["nice", "news"], "state": 40, "content_type": 2,
            "config": "{\"selections\":[{\"frames\":[{\"index\":0,\"excludes\":[{\"type\":\"css\",\"expr\":\".ad\"}],\"includes\":[{\"type\":\"xpath\",\"expr\":\"//main\"}]}],\"dynamic\":true}],\"regexp\":{\"expr\":\"a\",\"flags\":\"g\"}}",
            "schedule": "{\"type\":\"INTERVAL\",\"params\":{\"interval\":4447}}",
            "ts": "2022-03-27T15:51:15.667Z", "shared": true}]}"#);
    assert_eq!((entry.url.as_str(), entry.title.as_deref()), ("https://example.org/blog", Some("News")));
    assert_eq!(entry.tags, ["nice", "news"]);
    assert_eq!(
        (rules(&entry.only), rules(&entry.never)),
        (vec!["xpath://main".to_owned()], vec!["css:.ad".to_owned()])
    );
    assert_eq!(entry.pace, Pace::Every(Duration::from_secs(4447)));
    assert_eq!(entry.unsupported.len(), 3, "{:?}", entry.unsupported);
}
