//! What becomes of odd records: each line here is what the program of that style prints, unless a note says otherwise.

use cdx::Capture;
use cdx_indexer::{Error, Fields, Indexer, Options, Records, Style};
use warc::{Reader, RecordType};

const OK: &str = "HTTP/1.1 200 OK\r\n";
const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";

/// A record of this number, with these headers besides the necessary ones.
fn record(number: u32, kind: &str, headers: &str, block: &str) -> String {
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n\
         {headers}Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn response(number: u32, url: &str, headers: &str, http: &str) -> String {
    let headers =
        format!("WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n{headers}");
    record(number, "response", &headers, &format!("{http}\r\nhello"))
}

fn request(number: u32, url: &str, headers: &str, line: &str, body: &str) -> String {
    let headers =
        format!("WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=request\r\n{headers}");
    let http = format!(
        "{line} HTTP/1.1\r\nReferer: http://r/\r\n{FORM}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    record(number, "request", &headers, &http)
}

fn captures(file: &str, options: Options) -> Result<Vec<Capture<'static>>, Error> {
    let mut reader = Reader::new(file.as_bytes(), warc::Options::default())?;
    let mut indexer = Indexer::new("f", options)?;
    let mut captures = Vec::new();
    while let Some(record) = reader.next_record()? {
        indexer.push(record, &mut |capture| captures.push(capture))?;
    }
    indexer.finish(&mut |capture| captures.push(capture));
    Ok(captures)
}

/// Compares lines, without length, offset and file name, which the vectors cover.
#[track_caller]
fn check(file: &str, options: Options, expect: &[&str]) {
    let lines: Vec<String> = captures(file, options)
        .unwrap()
        .into_iter()
        .map(|capture| {
            let mut out = Vec::new();
            Capture { length: None, offset: None, filename: None, timestamp: None, ..capture }
                .write_cdxj(&mut out);
            String::from_utf8(out).unwrap()
        })
        .collect();
    assert_eq!(lines, expect);
}

fn pywb() -> Options {
    Options { style: Style::Pywb, ..Options::default() }
}

#[test]
fn media_types_are_cut_and_keep_their_case() {
    let of = |content_type: &str| {
        response(1, "http://a/", "WARC-Payload-Digest: md5:x\r\n", &format!("{OK}{content_type}"))
    };
    let check_mime = |content_type: &str, expect: &str| {
        let line = format!(r#"a)/ - {{"url": "http://a/"{expect}, "status": "200", "digest": "md5:x"}}"#);
        check(&of(content_type), Options::default(), &[&line]);
    };
    check_mime("Content-Type: Text/HTML; charset=UTF-8\r\n", r#", "mime": "Text/HTML""#);
    check_mime("Content-Type:  text/html  ;x\r\n", r#", "mime": "text/html""#);
    check_mime("Content-Type: text/html, text/plain\r\n", r#", "mime": "text/html,""#);
    check_mime("", "");
    // cdxj-indexer writes an empty text here.
    check_mime("Content-Type: ;charset=x\r\n", "");
    check(
        &of(""),
        pywb(),
        &[r#"a)/ - {"url": "http://a/", "mime": "unk", "status": "200", "digest": "md5:x"}"#],
    );
}

#[test]
fn digests_are_made_where_there_are_none() {
    let file = response(1, "http://a/", "", OK);
    check(
        &file,
        Options::default(),
        &[
            r#"a)/ - {"url": "http://a/", "status": "200", "digest": "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"}"#,
        ],
    );
    check(
        &file,
        pywb(),
        &[
            r#"a)/ - {"url": "http://a/", "mime": "unk", "status": "200", "digest": "VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"}"#,
        ],
    );
    let minimal = Options { minimal: true, ..pywb() };
    check(&file, minimal, &[r#"a)/ - {"url": "http://a/", "digest": "IORUMWLIBUO53GZZJS7FEOU3IDD3AFBH"}"#]);
    let revisit = record(1, "revisit", "WARC-Target-URI: http://a/\r\n", "");
    check(&revisit, Options::default(), &[r#"a)/ - {"url": "http://a/", "mime": "warc/revisit"}"#]);
}

#[test]
fn metadata_about_records_is_left_out() {
    let of = |media: &str| {
        record(
            1,
            "metadata",
            &format!("WARC-Target-URI: http://a/\r\nWARC-Payload-Digest: D\r\nContent-Type: {media}\r\n"),
            "x",
        )
    };
    let line = |media: &str| format!(r#"a)/ - {{"url": "http://a/", "mime": "{media}", "digest": "D"}}"#);
    let all = |options: Options| Options { records: Records::All, ..options };
    check(&of("application/warc-fields"), Options::default(), &[]);
    check(&of("application/warc-fields"), pywb(), &[]);
    check(&of("application/warc-fields"), all(pywb()), &[&line("application/warc-fields")]);
    check(&of("text/anvl"), Options::default(), &[&line("text/anvl")]);
    check(&of("text/anvl"), all(pywb()), &[]);
    check(&of("text/plain"), pywb(), &[&line("text/plain")]);
}

#[test]
fn a_request_belongs_to_its_neighbour_that_names_it() {
    let digest = "WARC-Payload-Digest: D\r\n";
    let post = || Options { post_append: true, ..Options::default() };
    let asked = r#"a)/?__wb_method=post&a=b - {"url": "http://a/", "status": "200", "digest": "D", "requestBody": "a=b", "method": "POST"}"#;
    let plain = r#"a)/ - {"url": "http://a/", "status": "200", "digest": "D"}"#;
    let named = |number: u32| format!("{digest}WARC-Concurrent-To: <urn:uuid:{number}>\r\n");
    let answer = |number, headers: &str| response(number, "http://a/", headers, OK);
    let ask = |number, headers: &str| request(number, "http://a/", headers, "POST /", "a=b");
    check(&(ask(1, "") + &answer(2, &named(1))), post(), &[asked]);
    check(&(answer(1, digest) + &ask(2, &named(1))), post(), &[asked]);
    check(&(answer(1, &named(2)) + &ask(2, "")), post(), &[plain]);
    check(&(ask(1, "") + &answer(2, digest)), post(), &[plain]);
    let other = response(2, "http://b/", &named(1), OK);
    check(&(ask(1, "") + &other), post(), &[&plain.replace("a)/", "b)/").replace("//a/", "//b/")]);
    check(&(ask(1, "") + &answer(2, &named(1))), Options::default(), &[plain]);
    let pywb_line = r#"a)/?__wb_method=post&a=b - {"url": "http://a/", "mime": "unk", "status": "200", "digest": "D", "method": "POST", "requestBody": "a=b"}"#;
    check(&(ask(1, "") + &answer(2, &named(1))), Options { post_append: true, ..pywb() }, &[pywb_line]);
}

#[test]
fn members_can_be_asked_for() {
    let file = request(1, "http://a/", "", "GET /", "")
        + &response(
            2,
            "http://a/",
            "WARC-Payload-Digest: D\r\nWARC-Concurrent-To: <urn:uuid:1>\r\n",
            &format!("{OK}Date: now\r\n"),
        );
    let names = |names: &str| names.split(',').map(str::to_owned).collect::<Vec<_>>();
    let also = Fields::Also(names("method,referrer,http:date,req.http:host,status,warc-type"));
    check(
        &file,
        Options { fields: also, ..Options::default() },
        &[
            r#"a)/ - {"url": "http://a/", "status": "200", "digest": "D", "method": "GET", "referrer": "http://r/", "http:date": "now", "warc-type": "response"}"#,
        ],
    );
    let only = Fields::Only(names("warc-type,status,method,nothing"));
    check(
        &file,
        Options { fields: only, ..Options::default() },
        &[r#"a)/ - {"warc-type": "response", "status": "200", "method": "GET"}"#],
    );
    let requests = Options {
        records: Records::Of(vec![RecordType::Request]),
        fields: Fields::Only(names("method")),
        ..Options::default()
    };
    check(&file, requests, &[r#"a)/ - {"method": "GET"}"#]);
}

#[test]
fn urls_and_times_fit_on_a_line() {
    let file =
        response(1, "<http://a/with space>", "WARC-Payload-Digest: D\r\n", OK).replace("05Z", "05.123456Z");
    let captures = captures(&file, Options::default()).unwrap();
    assert_eq!(captures[0].url.as_deref(), Some("http://a/with%20space"));
    assert_eq!(captures[0].timestamp.unwrap().to_string(), "20200102030405");
}

#[test]
fn what_is_no_http_is_refused_when_asked() {
    let file = response(1, "http://a/", "", "HTTPX/1.1 200 OK\r\n");
    let error = captures(&file, Options { verify_http: true, ..Options::default() }).unwrap_err();
    assert_eq!(error.to_string(), "the record at byte 0 holds no HTTP/1 message, but `HTTPX/1.1 200 OK`");
    assert!(matches!(
        captures(&file, Options { minimal: true, post_append: true, ..Options::default() }),
        Err(Error::MinimalWithPost)
    ));
}
