//! Long answers in pages.

use super::world::World;

/// So many rows of a host, and some of others.
fn world(rows: usize) -> World {
    let mut lines = String::from("org,apple)/ 20140101000000 {\"url\": \"http://apple.org/\"}\n");
    for number in 0..rows {
        lines.push_str(&format!(
            "org,example)/{:05} 20140101000000 {{\"url\": \"http://example.org/{number}\", \"offset\": \"{number}\"}}\n",
            number / 2
        ));
    }
    lines.push_str("org,zoo)/ 20140101000000 {\"url\": \"http://zoo.org/\"}\n");
    World::of("web", &lines)
}

#[test]
fn pages_together_are_the_whole() {
    let world = world(7001);
    let query = "url=example.org/*&fl=offset&output=text";
    let count = world.get(&format!("/cdx?{query}&showNumPages=true&pageSize=1")).text();
    assert_eq!(count, "{\"pages\":3,\"pageSize\":1,\"blocks\":3}\n");
    let count = world.get(&format!("/cdx?{query}&showNumPages=true")).text();
    assert_eq!(count, "{\"pages\":1,\"pageSize\":10,\"blocks\":3}\n");
    let page =
        |number: usize, size: usize| world.get(&format!("/cdx?{query}&page={number}&pageSize={size}")).text();
    assert_eq!([0, 1, 2, 3].map(|number| page(number, 1).lines().count()), [3000, 3000, 1001, 0]);
    let whole = world.get(&format!("/cdx?{query}")).text();
    assert_eq!((0..3).map(|number| page(number, 1)).collect::<String>(), whole);
    assert_eq!((0..2).map(|number| page(number, 2)).collect::<String>(), whole);
    assert_eq!(page(0, 1_000_000), whole);
    assert_eq!(page(usize::MAX, 1), "");
}

#[test]
fn the_beginning_of_each_block_is_listed() {
    let world = world(3500);
    let query = "url=example.org/*&showPagedIndex=true";
    assert_eq!(
        world.get(&format!("/cdx?{query}")).text(),
        "org,example)/00000 20140101000000\tweb\t0\t3000\t1\norg,example)/01500 20140101000000\tweb\t3000\t500\t2\n"
    );
    let json = world.get(&format!("/cdx?{query}&output=json&page=1&pageSize=1"));
    assert_eq!(
        json.text(),
        "{\"urlkey\":\"org,example)/01500 20140101000000\",\"part\":\"web\",\"offset\":3000,\"length\":500,\"lineno\":2}\n"
    );
    assert_eq!(world.get("/cdx?url=none.org/*&showPagedIndex=true").text(), "");
    assert_eq!(
        world.get("/cdx?url=none.org/*&showNumPages=true").text(),
        "{\"pages\":0,\"pageSize\":10,\"blocks\":0}\n"
    );
}

#[test]
fn filters_work_within_a_page() {
    let world = world(3100);
    let answer = world.get("/cdx?url=example.org/*&fl=offset&output=text&pageSize=1&filter==offset:3050");
    assert_eq!(answer.text(), "");
    let answer =
        world.get("/cdx?url=example.org/*&fl=offset&output=text&pageSize=1&page=1&filter==offset:3050");
    assert_eq!(answer.text(), "3050\n");
}

#[test]
fn pages_follow_what_is_added() {
    let world = world(10);
    let ask = || world.get("/cdx?url=*&showNumPages=true&pageSize=1").text();
    assert!(ask().contains("\"blocks\":1"));
    let more: String = (0..3000)
        .map(|number| {
            format!("org,more)/{number:05} 20140101000000 {{\"url\": \"http://more.org/{number}\"}}\n")
        })
        .collect();
    world.load("web", &more);
    assert!(ask().contains("\"blocks\":2"), "{}", ask());
}

#[test]
fn pages_follow_what_is_deleted() {
    let lines: String = (0..3001)
        .map(|number| format!("- 20140101000000 http://example.org/{number:05} - 200 A - - 1 0 a\n"))
        .collect();
    let world = World::new();
    world.post("/outbackcdx/x", lines.clone()).text();
    let ask = || world.get("/cdx/x?url=*&showNumPages=true&pageSize=1").text();
    assert!(ask().contains("\"blocks\":2"), "{}", ask());
    world.post("/outbackcdx/x/delete", lines.lines().next().unwrap().as_bytes().to_vec()).text();
    assert!(ask().contains("\"blocks\":1"), "{}", ask());
}

#[test]
fn rows_of_aliases_are_counted_where_they_are_served() {
    let mut lines = String::from("@alias http://old.org/ http://new.org/\n");
    for number in 0..4000 {
        let host = if number % 2 == 0 { "old" } else { "new" };
        lines.push_str(&format!(
            "- {} http://{host}.org/ - 200 A - - 1 {number} a\n",
            20_140_101_000_000_u64 + number / 60 * 100 + number % 60
        ));
    }
    let world = World::new();
    world.post("/outbackcdx/x", lines).text();
    let query = "/cdx/x?url=new.org&fl=offset&output=text&pageSize=1";
    assert!(world.get(&format!("{query}&showNumPages=true")).text().contains("\"blocks\":2"));
    let pages = [0, 1, 2].map(|page| world.get(&format!("{query}&page={page}")).text());
    assert_eq!(pages.each_ref().map(|page| page.lines().count()), [3000, 1000, 0]);
    assert_eq!(pages.concat(), world.get("/cdx/x?url=new.org&fl=offset&output=text").text());
}

#[test]
fn the_rows_of_a_page_come_in_the_order_that_is_asked_for() {
    let lines: String = (0..6)
        .map(|day| format!("org,a)/ 2014010{}000000 {{\"url\": \"http://a.org/\"}}\n", day + 1))
        .collect();
    let world = World::of("web", &lines);
    for query in [
        "limit=-2",
        "limit=2",
        "sort=reverse",
        "sort=reverse&limit=2",
        "sort=reverse&limit=-2",
        "closest=20140103",
        "closest=20140103&limit=3",
    ] {
        let ask =
            |more: &str| world.get(&format!("/cdx?url=a.org&fl=timestamp&output=text&{query}{more}")).text();
        assert_eq!(ask("&page=0"), ask(""), "{query}");
        assert_eq!(ask("&page=1"), "", "{query}");
    }
    let text = world.get("/cdx?url=a.org&page=0&resumeKey=org,a)/+20140103000000").refused(400);
    assert!(text.contains("a resumeKey goes with no page"), "{text}");
}
