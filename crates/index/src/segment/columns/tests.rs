//! Leaves come back, whatever the lines are.

use proptest::prelude::*;

use super::super::page::HEAD_BYTES;
use super::{Columns, Encoder, LeafLines};

fn pack(lines: &[(String, u32)]) -> Vec<u8> {
    let mut leaf = LeafLines::default();
    for (line, commit) in lines {
        let order = super::super::rows::order_of(line.as_bytes()).unwrap().len();
        leaf.push(line.as_bytes(), order, *commit);
    }
    Encoder::new(7, 1).unwrap().pack(&leaf).unwrap().page[HEAD_BYTES..].to_vec()
}

fn unpack(page: &[u8]) -> Option<Columns> {
    Columns::parse(page, 1 << 20, |frame, bytes| {
        zstd::bulk::decompress(frame, bytes).ok().filter(|found| found.len() == bytes)
    })
}

#[track_caller]
fn check(lines: &[(String, u32)]) {
    let columns = unpack(&pack(lines)).expect("a leaf that makes no sense");
    assert_eq!(columns.len(), lines.len());
    for (row, (line, commit)) in lines.iter().enumerate() {
        let mut found = Vec::new();
        columns.write_line(row, &mut found).unwrap();
        assert_eq!(String::from_utf8(found).unwrap(), *line);
        assert!(line.as_bytes().starts_with(columns.order(row).unwrap()));
        assert_eq!(columns.commit(row), Some(*commit as usize));
    }
}

fn lines(objects: &[&str]) -> Vec<(String, u32)> {
    let line =
        |(at, object): (usize, &&str)| (format!("org,a)/b{at} 2026010100000{at} {object}"), at as u32 / 2);
    objects.iter().enumerate().map(line).collect()
}

#[test]
fn usual_lines_come_back() {
    let usual = r#"{"url": "http://a.org/b0", "mime": "text/html", "status": "200", "digest": "sha1:OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB", "length": "2258", "offset": "334", "filename": "a.warc.gz"}"#;
    let secure = r#"{"url": "https://www.a.org/b1", "mime": "warc/revisit", "digest": "sha1:OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB", "length": "9", "offset": "0", "filename": "b.warc.gz"}"#;
    let hex = r#"{"url": "http://a.org/B2?x", "digest": "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "n": [1, {"a": "}"}]}"#;
    check(&lines(&[usual, secure, hex, "{}", usual]));
}

/// Values that are nearly what a column is made for.
#[test]
fn unusual_values_come_back() {
    check(&lines(&[
        r#"{"url": "a.org/b0", "digest": "sha1:ossapwj23l56iyvrw3gfear4mcjmgptb", "offset": "007"}"#,
        r#"{"url": "http://other.org/b1", "digest": "OSSAPWJ23L56IYVRW3GFEAR4MCJMGPT1", "offset": "-"}"#,
        r#"{"url": "http://a.org", "digest": "sha256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB", "offset": "1"}"#,
        r#"{"url": "", "digest": "", "offset": ""}"#,
        r#"{"a": "1", "a": "2"}"#,
        r#"{"a":"another spelling"}"#,
        r#"{"a": 5, "b": {"a": null}, "": ""}"#,
        r#"{"url": "http://a.org:80/b7\"\\é", "a": "1"}"#,
    ]));
    check(&[
        ("x 99999999999999 {}".to_owned(), 9),
        (") 00000000000000 {\"url\": \"http://\"}".to_owned(), u32::MAX),
    ]);
}

#[test]
fn a_whole_leaf_of_different_members_comes_back() {
    let line = |at: usize| {
        let object: Vec<String> =
            (0..7).map(|member| format!("\"m{}\": \"{at}\"", at * 7 + member)).collect();
        (format!("a)/ {:014} {{{}}}", 20_260_101_000_000 + at, object.join(", ")), 0)
    };
    check(&(0..256).map(line).collect::<Vec<_>>());
}

#[test]
fn cut_and_changed_leaves_are_refused_or_read() {
    let page = pack(&lines(&[r#"{"url": "http://a.org/b0", "status": "200", "digest": "x"}"#, "{}"]));
    for cut in 0..page.len() {
        assert!(unpack(&page[..cut]).is_none(), "{cut}");
    }
    for at in 0..page.len() {
        for bit in 0..8 {
            let mut page = page.clone();
            page[at] ^= 1 << bit;
            if let Some(columns) = unpack(&page) {
                for row in 0..columns.len() {
                    let _ = columns.write_line(row, &mut Vec::new());
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_lines_come_back(
        rows in prop::collection::vec(
            ("[a-c,)/?:.]{1,9}", 0..100_000_000_000_000_u64, prop::collection::vec(("url|digest|status|[a-c]", "(http://)?(www.)?[a-c.]{0,5}(/[a-z\\\\u00e9]*)?|[0-9]{1,20}|[A-Z2-7]{32}|[0-9a-f]{64}"), 0..5), 0..4_u32),
            1..40,
        )
    ) {
        let lines: Vec<(String, u32)> = rows.into_iter().map(|(key, time, members, commit)| {
            let members: Vec<String> = members.into_iter().map(|(name, value)| format!("\"{name}\": \"{}\"", value.replace('\\', ""))).collect();
            (format!("{key} {time:014} {{{}}}", members.join(", ")), commit)
        }).collect();
        check(&lines);
    }
}
