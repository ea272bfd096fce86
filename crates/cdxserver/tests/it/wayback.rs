//! `/cdx` in the words of the Wayback Machine.

use super::world::{SITE, World, times};

#[test]
fn its_parameters_and_fields_choose_its_words() {
    let world = World::of("web", SITE);
    let answer = world.get("/cdx?url=example.org&filter=statuscode:200&limit=1");
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(answer.text(), "org,example)/ 20140101000000 http://example.org/ text/html 200 AAA 100\n");
    // A regex over the whole field, not a part of it.
    assert_eq!(world.get("/cdx?url=example.org&filter=statuscode:20").text(), "");
    assert_eq!(
        times(&world.get("/cdx?url=example.org&filter=!statuscode:200&filter=!mimetype:warc/.*")),
        ["20150601000000"]
    );
    assert_eq!(
        times(&world.get("/cdx?url=example.org&filter=mimetype:.*revisit&dialect=wayback")),
        ["20140101000005"]
    );
}

#[test]
fn its_json_is_a_table() {
    let world = World::of("web", SITE);
    let answer = world.get("/cdx?url=example.org&output=json&fl=timestamp,original,statuscode&limit=2");
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(
        answer.text(),
        "[[\"timestamp\",\"original\",\"statuscode\"],\n[\"20140101000000\",\"http://example.org/\",\"200\"],\n[\"20140101000005\",\"http://example.org/\",\"-\"]]\n"
    );
    assert_eq!(world.get("/cdx?url=example.org/none&output=json&dialect=wayback").text(), "[]\n");
}

#[test]
fn captures_collapse_by_any_field() {
    let world = World::of("web", SITE);
    assert_eq!(
        times(&world.get("/cdx?url=example.org&collapse=timestamp:8")),
        ["20140101000000", "20150601000000", "20160101000000"]
    );
    assert_eq!(
        times(&world.get("/cdx?url=example.org&collapse=digest")),
        ["20140101000000", "20150601000000"]
    );
    assert_eq!(times(&world.get("/cdx?url=*.example.org&collapse=urlkey")).len(), 4);
    assert_eq!(
        times(&world.get("/cdx?url=example.org&collapse=timestamp:4&collapse=digest")),
        ["20140101000000", "20150601000000"]
    );
}

#[test]
fn revisits_keep_their_type() {
    let world = World::of("web", SITE);
    let query = "url=example.org&resolveRevisits=true&fl=mimetype,statuscode,orig.filename,orig.offset&from=20140101000005&limit=1";
    assert_eq!(world.get(&format!("/cdx?{query}")).text(), "warc/revisit - a.warc.gz 0\n");
}

/// Rows among which many have the same key and time.
fn many() -> String {
    let row = |number: usize| {
        let (key, second) = (number / 40, number / 7 % 3);
        format!(
            "org,example)/{key} 2014010100000{second} {{\"url\": \"http://example.org/{key}\", \"offset\": \"{number}\"}}\n"
        )
    };
    let mut rows: Vec<String> = (0..200).map(row).collect();
    rows.sort_by(|a, b| a[..a.find('{').unwrap()].cmp(&b[..b.find('{').unwrap()]));
    rows.concat()
}

#[test]
fn an_answer_goes_on_where_it_stopped() {
    let world = World::of("web", &many());
    let whole: Vec<String> = world
        .get("/cdx?url=example.org/*&fl=original,timestamp,offset")
        .text()
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(whole.len(), 200);
    for limit in [1, 3, 7, 50, 199, 200, 201] {
        let (mut rows, mut resume) = (Vec::new(), String::new());
        loop {
            let query = "url=example.org/*&fl=original,timestamp,offset&showResumeKey=true";
            let text = world.get(&format!("/cdx?{query}&limit={limit}{resume}")).text();
            let (part, key) = text.split_once("\n\n").unwrap_or((text.trim_end(), ""));
            rows.extend(part.lines().map(str::to_owned));
            assert!(rows.len() <= whole.len(), "{limit}: going in circles");
            if key.is_empty() {
                break;
            }
            // As it came, encoded once more: clients do that.
            resume = format!("&resumeKey={}", super::world::encoded(key.trim_end()));
        }
        assert_eq!(rows, whole, "{limit}");
    }
}

#[test]
fn a_key_to_go_on_stands_behind_the_rows() {
    let world = World::of("web", SITE);
    let ask = |query: &str| {
        world.get(&format!("/cdx?url=example.org&showResumeKey=true&fl=timestamp{query}")).text()
    };
    assert_eq!(ask("&limit=1"), "20140101000000\n\norg%2Cexample%29%2F+20140101000005\n");
    assert_eq!(
        ask("&limit=1&output=json"),
        "[[\"timestamp\"],\n[\"20140101000000\"],\n[],\n[\"org%2Cexample%29%2F+20140101000005\"]]\n"
    );
    assert_eq!(ask("&limit=4").lines().count(), 4);
    assert_eq!(ask("").lines().count(), 4);
    // What is behind is not wanted, so there is nothing to go on with.
    assert_eq!(ask("&limit=1&filter=statuscode:404"), "20150601000000\n");
    assert_eq!(
        ask("&limit=1&resumeKey=org%2Cexample%29%2F+20150601000000"),
        "20150601000000\n\norg%2Cexample%29%2F+20160101000000\n"
    );
}
