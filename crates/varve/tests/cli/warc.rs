//! `varve warc …` on small files of our own making.

use std::io::Write as _;

use serde_json::Value;
use warc::{
    Algorithm, Digest, Draft, Encoding, Options, Reader, RecordType, Version, Writer, rules, warcinfo_block,
};

use crate::run::{Run, varve};

const RESPONSE: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n\
      11\r\n<h1>varves</h1>\r\n\r\n0\r\n\r\n";

const ARC: &[u8] = b"filedesc://old.arc 0.0.0.0 20080430204825 text/plain 76\n\
      1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n\
      http://example.org/a b 192.0.2.7 20080430204826 text/html 47\n\
      HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nold\n\n\
      dns:example.org 192.0.2.8 20080430204827 text/dns 30\n\
      example.org. 60 IN A 192.0.2.7\n";

fn draft(kind: &RecordType, number: u32, uri: &str) -> Draft {
    let id = format!("urn:uuid:00000000-0000-4000-8000-{number:012}");
    let date = "2026-11-15T10:11:12Z".parse().unwrap();
    Draft::new(Version::Warc1_1, kind, &id, date).target_uri(uri)
}

fn file(encoding: &Encoding) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), encoding).unwrap();
    let mut info = draft(&RecordType::Warcinfo, 1, "urn:none").content_type("application/warc-fields");
    info.remove(warc::Name::TargetUri);
    writer.write(&info, &warcinfo_block(&[("software", "varve")])).unwrap();
    let response = draft(&RecordType::Response, 2, "http://example.org/page")
        .content_type("application/http; msgtype=response")
        .block_digest(&Digest::of(Algorithm::Sha1, RESPONSE))
        .payload_digest(&Digest::of(Algorithm::Sha1, b"<h1>varves</h1>\r\n"));
    writer.write(&response, RESPONSE).unwrap();
    let resource =
        draft(&RecordType::Resource, 3, "ftp://example.org/\u{202e}evil").content_type("text/plain");
    writer.write(&resource, b"plain text\nwith two lines\n").unwrap();
    writer.into_inner()
}

/// `varve` in a folder with `a.warc.gz`.
fn with_file(words: &[&str]) -> Run {
    varve(words).file("a.warc.gz", file(&Encoding::Gzip(6)))
}

fn json(run: &mut Run) -> Vec<Value> {
    let output = run.output();
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn ls_lists_one_record_a_line_and_escapes_what_would_act() {
    insta::assert_snapshot!(with_file(&["warc", "ls", "a.warc.gz"]).shown());
}

#[test]
fn ls_as_json_has_the_promised_members() {
    let rows = json(&mut with_file(&["warc", "ls", "--json", "a.warc.gz"]));
    assert_eq!(rows.len(), 3);
    for name in ["file", "offset", "length", "type", "uri", "date", "status", "mime", "digest"] {
        assert!(rows.iter().all(|row| row.get(name).is_some()), "{name}");
    }
    assert_eq!(rows[1]["status"], 200);
    assert_eq!(rows[1]["mime"], "text/html");
    assert_eq!(rows[1]["type"], "response");
    let ends: Vec<u64> =
        rows.iter().map(|row| row["offset"].as_u64().unwrap() + row["length"].as_u64().unwrap()).collect();
    assert_eq!(rows[1]["offset"], ends[0]);
    assert_eq!(ends[2], file(&Encoding::Gzip(6)).len() as u64);
}

#[test]
fn every_verb_reads_standard_input() {
    let plain = file(&Encoding::Plain);
    for verb in ["ls", "check", "stats"] {
        let output = varve(["warc", verb, "-"]).stdin(plain.clone()).output();
        assert!(output.status.success(), "{verb}: {output:?}");
        assert!(!output.stdout.is_empty());
    }
}

#[test]
fn many_files_are_listed_in_their_order_whatever_the_jobs() {
    let one = file(&Encoding::Gzip(6));
    let lines = |jobs: &str| {
        let names: Vec<String> = (0..20).map(|number| format!("{number}.warc")).collect();
        let mut words = vec!["warc", "ls", "--json", "--jobs", jobs];
        words.extend(names.iter().map(String::as_str));
        let mut run = varve(&words);
        for name in &names {
            run = run.file(name, &one);
        }
        json(&mut run).iter().map(|row| row["file"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let found = lines("4");
    assert_eq!(found.len(), 60);
    assert_eq!(found, lines("1"));
    assert!(
        found
            .chunks(3)
            .zip(0..)
            .all(|(names, number)| names.iter().all(|name| *name == format!("{number}.warc")))
    );
}

#[test]
fn check_says_ok_and_exits_0() {
    insta::assert_snapshot!(with_file(&["warc", "check", "a.warc.gz"]).shown());
}

#[test]
fn check_tells_what_is_wrong_where_and_the_way_out() {
    let mut bad = file(&Encoding::Gzip(6));
    let middle = bad.len() / 2;
    bad[middle] ^= 0xff;
    insta::assert_snapshot!(varve(["warc", "check", "bad.warc.gz"]).file("bad.warc.gz", &bad).shown());
    let verdict = json(&mut varve(["warc", "check", "--json", "bad.warc.gz"]).file("bad.warc.gz", bad));
    assert_eq!(verdict[0]["ok"], false);
    assert_eq!(verdict[0]["file"], "bad.warc.gz");
    assert!(verdict[0]["records"].as_u64().unwrap() >= 2);
    for name in ["offset", "kind", "message"] {
        assert!(verdict[0]["faults"][0].get(name).is_some(), "{name}");
    }
}

#[test]
fn check_has_a_verdict_for_every_file_that_was_named() {
    let words = ["warc", "check", "--json", "a.warc.gz", "none.warc", "a.warc.gz", "a.txt"];
    let mut verdicts = json(&mut with_file(&words).file("a.txt", "just text\n"));
    verdicts.sort_by_key(|verdict| verdict["file"].to_string());
    let short = |verdict: &Value| format!("{} {} {}", verdict["file"], verdict["ok"], verdict["records"]);
    let found: Vec<String> = verdicts.iter().map(short).collect();
    let good = "\"a.warc.gz\" true 3";
    assert_eq!(found, ["\"a.txt\" false 0", good, good, "\"none.warc\" false 0"]);
    let fault = &verdicts[3]["faults"][0];
    assert_eq!((&fault["kind"], &fault["severity"]), (&"unreadable".into(), &"damage".into()));
    assert_eq!(fault["message"], "there is no file `none.warc`");
}

/// A named pipe that this file is written to.
fn pipe(run: &Run, bytes: Vec<u8>) -> std::thread::JoinHandle<()> {
    let path = run.folder().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    std::thread::spawn(move || drop(std::fs::write(path, bytes)))
}

#[test]
fn a_named_pipe_is_read_once_from_its_start() {
    for encoding in [Encoding::Plain, Encoding::Gzip(6)] {
        let mut run = varve(["warc", "ls", "--json", "pipe"]);
        let writer = pipe(&run, file(&encoding));
        assert_eq!(json(&mut run).len(), 3);
        writer.join().unwrap();
        let mut run = varve(["warc", "cat", "pipe", "--offset", "0"]);
        let writer = pipe(&run, file(&encoding));
        let output = run.output();
        assert!(output.stdout.starts_with(b"WARC/1.1\r\nWARC-Type: warcinfo"), "{output:?}");
        writer.join().unwrap();
        let mut run = varve(["warc", "cat", "pipe", "--offset", "0", "--raw"]);
        let writer = pipe(&run, file(&encoding));
        assert!(run.shown().contains("the stored bytes of a pipe are gone"));
        writer.join().unwrap();
    }
}

#[test]
fn verbose_says_which_files_are_read() {
    let said = |words: &[&str]| String::from_utf8(with_file(words).output().stderr).unwrap();
    assert_eq!(said(&["warc", "ls", "a.warc.gz"]), "");
    for words in [["-v", "warc", "ls", "a.warc.gz"], ["-v", "warc", "stats", "a.warc.gz"]] {
        assert!(said(&words).contains("reading a.warc.gz size_bytes="), "{words:?}: {}", said(&words));
    }
}

#[test]
fn check_hints_at_convert_when_records_share_a_member() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(&file(&Encoding::Plain)).unwrap();
    let whole = encoder.finish().unwrap();
    insta::assert_snapshot!(varve(["warc", "check", "a.warc.gz"]).file("a.warc.gz", whole).shown());
}

#[test]
fn strict_reading_stops_at_damage_and_lenient_goes_on() {
    let plain = file(&Encoding::Plain);
    let broken = String::from_utf8(plain).unwrap().replacen("Content-Length: ", "Content-Length: 9", 1);
    let shown = varve(["warc", "ls", "bad.warc"]).file("bad.warc", &broken).shown();
    insta::assert_snapshot!(shown);
    let mut run = varve(["warc", "ls", "--json", "--lenient", "bad.warc"]).file("bad.warc", &broken);
    assert_eq!(json(&mut run).len(), 3);
}

#[test]
fn what_is_no_archive_is_said_to_be_none() {
    insta::assert_snapshot!(varve(["warc", "ls", "a.txt"]).file("a.txt", "just text\n").shown());
}

#[test]
fn a_missing_file_does_not_keep_the_others_from_being_read() {
    let mut run = with_file(&["warc", "ls", "--json", "none.warc", "a.warc.gz"]);
    let output = run.output();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3);
    assert!(String::from_utf8(output.stderr).unwrap().contains("there is no file `none.warc`"));
}

#[test]
fn cat_shows_a_record_by_url_offset_or_id() {
    let block = String::from_utf8_lossy(RESPONSE).into_owned();
    let rows = json(&mut with_file(&["warc", "ls", "--json", "a.warc.gz"]));
    let offset = rows[1]["offset"].to_string();
    let id = "00000000-0000-4000-8000-000000000002";
    for words in [
        ["--url", "http://www.EXAMPLE.org/page"],
        ["--offset", &offset],
        ["--id", &format!("<urn:uuid:{id}>")],
        ["--id", &format!("urn:uuid:{id}")],
    ] {
        let output = with_file(&["warc", "cat", "a.warc.gz", words[0], words[1]]).output();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with("WARC/1.1\r\nWARC-Type: response"), "{words:?}: {text}");
        assert!(text.ends_with(&block), "{words:?}");
    }
}

#[test]
fn cat_gives_the_payload_decoded_the_headers_or_the_stored_bytes() {
    let url = ["warc", "cat", "a.warc.gz", "--url", "http://example.org/page"];
    let with = |flag: &str| with_file(&[&url[..], &[flag]].concat()).output().stdout;
    assert_eq!(with("--payload"), b"<h1>varves</h1>\r\n");
    let headers = String::from_utf8(with("--headers")).unwrap();
    assert!(headers.starts_with("WARC/1.1") && headers.ends_with("chunked\r\n\r\n"), "{headers}");
    let mut reader = Reader::new(std::io::Cursor::new(with("--raw")), Options::default()).unwrap();
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!(record.head().target_uri().as_deref(), Some("http://example.org/page"));
}

#[test]
fn the_stored_bytes_are_a_file_of_their_own_in_every_compression() {
    let dictionary = file(&Encoding::Plain);
    let encodings =
        [Encoding::Plain, Encoding::Gzip(6), Encoding::Zstd(3, Vec::new()), Encoding::Zstd(3, dictionary)];
    for encoding in encodings {
        let words = ["warc", "cat", "a.warc", "--raw", "--url", "http://example.org/page"];
        let output = varve(words).file("a.warc", file(&encoding)).output();
        assert!(output.status.success(), "{encoding:?}: {output:?}");
        let (uris, faults) = sound(&output.stdout);
        assert_eq!((uris, faults), (vec!["http://example.org/page".to_owned()], vec![]), "{encoding:?}");
    }
}

#[test]
fn cat_tells_when_the_record_is_damaged() {
    let mut bad = file(&Encoding::Gzip(6));
    let end = bad.len();
    bad[end - 8] ^= 1;
    let id = "urn:uuid:00000000-0000-4000-8000-000000000003";
    let output = varve(["warc", "cat", "a.warc.gz", "--id", id]).file("a.warc.gz", bad).output();
    assert!(output.stdout.ends_with(b"with two lines\n"), "{output:?}");
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("warning: a.warc.gz: at byte"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_long_name_is_counted_by_its_beginning() {
    let long = "x".repeat(5000);
    let mut writer = Writer::new(Vec::new(), &Encoding::Plain).unwrap();
    writer.write(&draft(&RecordType::Resource, 1, "http://a.example/").content_type(&long), b"").unwrap();
    let stats = json(&mut varve(["warc", "stats", "--json", "a.warc"]).file("a.warc", writer.into_inner()));
    assert_eq!(stats[0]["media_types"][&long[..200]]["records"], 1);
}

#[test]
fn a_file_of_the_user_beside_the_output_is_left_alone() {
    let mut run = with_file(&["warc", "convert", "a.warc.gz", "b.warc"]).file("b.warc.part", "precious");
    assert!(run.output().status.success());
    assert_eq!(std::fs::read(run.folder().join("b.warc.part")).unwrap(), b"precious");
    assert_eq!(std::fs::read_dir(run.folder()).unwrap().count(), 3);
}

#[test]
fn a_level_that_does_not_exist_is_refused_in_words() {
    let said = with_file(&["warc", "convert", "a.warc.gz", "b.warc", "--level", "3"]).shown();
    assert!(said.contains("error: there is no level 3 for plain files"), "{said}");
}

/// A terminal is lent by `script`, which is not on every machine.
#[test]
fn json_on_a_terminal_does_not_act() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.warc.gz"), file(&Encoding::Gzip(6))).unwrap();
    let line = format!("{} warc ls --json a.warc.gz", env!("CARGO_BIN_EXE_varve"));
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(folder.path()).stdin(std::process::Stdio::null());
    let Ok(output) = script.output() else { return };
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("ftp://example.org/\\u202eevil"), "{shown}");
}

#[test]
fn cat_says_when_there_is_no_such_record() {
    insta::assert_snapshot!(with_file(&["warc", "cat", "a.warc.gz", "--id", "urn:none"]).shown());
    let output = with_file(&["warc", "cat", "a.warc.gz", "--offset", "7"]).output();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_payload_bomb_stops_at_the_limit() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![0; 10 << 20]).unwrap();
    let body = encoder.finish().unwrap();
    let block = [b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", body.as_slice()].concat();
    let mut writer = Writer::new(Vec::new(), &Encoding::Plain).unwrap();
    let bomb = draft(&RecordType::Response, 1, "http://bomb.example/").content_type("application/http");
    writer.write(&bomb, &block).unwrap();
    let words = ["warc", "cat", "b.warc", "--offset", "0", "--payload", "--limit", "1000000"];
    let output = varve(words).file("b.warc", writer.into_inner()).output();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.len() <= 1_000_000);
    assert!(String::from_utf8(output.stderr).unwrap().contains("limit"));
}

#[test]
fn grep_finds_lines_in_decoded_payloads() {
    insta::assert_snapshot!(with_file(&["warc", "grep", "VARV|two", "-i", "a.warc.gz"]).shown());
    assert_eq!(with_file(&["warc", "grep", "absent", "a.warc.gz"]).output().status.code(), Some(1));
    let matches =
        json(&mut with_file(&["warc", "grep", "--json", "--headers", "Transfer-Encoding", "a.warc.gz"]));
    assert_eq!(matches[0]["uri"], "http://example.org/page");
    let output = with_file(&["warc", "grep", "(", "a.warc.gz"]).output();
    assert!(String::from_utf8(output.stderr).unwrap().contains("hint:"));
}

#[test]
fn stats_counts_by_type_mime_status_and_host() {
    insta::assert_snapshot!(with_file(&["warc", "stats", "a.warc.gz"]).shown());
    let stats = json(&mut with_file(&["warc", "stats", "--json", "a.warc.gz"]));
    assert_eq!(stats[0]["records"], 3);
    assert_eq!(stats[0]["media_types"]["text/html"]["records"], 1);
    assert_eq!(stats[0]["statuses"]["200"]["records"], 1);
    assert_eq!(stats[0]["hosts"]["example.org"]["records"], 2);
}

#[test]
fn repair_keeps_what_is_readable_and_says_what_was_lost() {
    let good = file(&Encoding::Gzip(6));
    let cut = &good[..good.len() - 20];
    let mut run = varve(["warc", "repair", "cut.warc.gz", "out.warc.gz"]).file("cut.warc.gz", cut);
    insta::assert_snapshot!(run.shown());
    let out = std::fs::read(run.folder().join("out.warc.gz")).unwrap();
    let (uris, faults) = sound(&out);
    assert_eq!(uris.len(), 3);
    assert_eq!(faults, []);
    assert_eq!(
        std::fs::read(run.folder().join("cut.warc.gz")).unwrap(),
        cut,
        "the damaged file is left alone"
    );
    assert!(!run.folder().join("out.warc.gz.part").exists());
}

#[test]
fn repair_replaces_nothing_unasked() {
    let run = || with_file(&["warc", "repair", "a.warc.gz", "b.warc.gz"]).file("b.warc.gz", "precious");
    insta::assert_snapshot!(run().shown());
    insta::assert_snapshot!(with_file(&["warc", "repair", "a.warc.gz", "a.warc.gz", "--force"]).shown());
}

/// The summary of a repair, and the file it wrote.
fn repaired(name: &str, bytes: impl AsRef<[u8]>, more: &[&str]) -> (Value, String) {
    let words = [&["warc", "repair", "--json", name, "out.warc"], more].concat();
    let mut run = varve(words).file(name, bytes);
    let output = run.output();
    assert!(output.status.success(), "{output:?}");
    let out = std::fs::read(run.folder().join("out.warc")).unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), String::from_utf8_lossy(&out).into_owned())
}

#[test]
fn repair_marks_a_record_whose_checksum_is_wrong() {
    let mut bad = file(&Encoding::Gzip(6));
    let end = bad.len();
    bad[end - 8] ^= 1;
    let (summary, out) = repaired("a.warc.gz", &bad, &[]);
    assert_eq!((&summary["records"], &summary["damaged"]), (&3.into(), &1.into()), "{summary}");
    assert!(out.contains("X-Varve-Salvaged: checksum of the compressed member was wrong\r\n"), "{out}");
    let (summary, out) = repaired("a.warc.gz", &bad, &["--whole"]);
    assert_eq!((&summary["records"], &summary["dropped"]), (&2.into(), &1.into()), "{summary}");
    assert!(!out.contains("X-Varve-Salvaged"));
}

#[test]
fn repair_marks_an_arc_record_that_breaks_off() {
    let (summary, out) = repaired("old.arc", &ARC[..ARC.len() - 9], &[]);
    assert_eq!((&summary["records"], &summary["partial"]), (&3.into(), &1.into()), "{summary}");
    assert_eq!(out.matches("WARC-Truncated: unspecified\r\n").count(), 1, "{out}");
}

#[test]
fn repair_leaves_out_a_field_that_cannot_be_written_and_a_header_that_breaks_off() {
    let plain = String::from_utf8(file(&Encoding::Plain)).unwrap();
    let odd = plain.replacen("WARC-Date", "X-Odd: a\x07b\r\nWARC-Date", 1);
    let cut = format!("{odd}WARC/1.1\r\nWARC-Type: resource\r\nWARC-Rec");
    let (summary, out) = repaired("a.warc", &cut, &[]);
    assert_eq!((&summary["records"], &summary["dropped"]), (&3.into(), &1.into()), "{summary}");
    assert!(summary.to_string().contains("the field `X-Odd` cannot be written"), "{summary}");
    assert_eq!(out, plain);
}

#[test]
fn repair_lists_ten_thousand_faults_and_counts_the_rest() {
    let one = "WARC/1.1\nWARC-Type: resource\nWARC-Record-ID: <urn:x:1>\nWARC-Date: 2026-11-15T10:11:12Z\n\
               WARC-Target-URI: http://example.org/\nContent-Length: 0\n\n\r\n\r\n";
    let (summary, _) = repaired("a.warc", one.repeat(10_050), &[]);
    assert_eq!(summary["faults"].as_array().unwrap().len(), 10_000);
    assert_eq!((&summary["records"], &summary["fault_count"]), (&10_050.into(), &10_050.into()));
}

/// URIs of a file, and all that is wrong with it.
fn sound(file: &[u8]) -> (Vec<String>, Vec<warc::Fault>) {
    let mut reader = Reader::new(file, Options { verify: true, ..Options::default() }).unwrap();
    let (mut uris, mut faults) = (Vec::new(), Vec::new());
    while let Some(record) = reader.next_record().unwrap() {
        uris.push(record.head().target_uri().unwrap_or_default().into_owned());
        faults.extend(rules::faults(record.head(), record.offset()));
        faults.extend(record.finish_with_faults().unwrap().1);
    }
    (uris, faults)
}

#[test]
fn convert_goes_from_any_compression_to_any_other_and_back() {
    let plain = file(&Encoding::Plain);
    let mut run = varve(["warc", "convert", "a.warc", "b.warc.gz"]).file("a.warc", &plain);
    assert!(run.output().status.success());
    let gzip = std::fs::read(run.folder().join("b.warc.gz")).unwrap();
    let mut run =
        varve(["warc", "convert", "b.warc.gz", "c.warc.zst", "--level", "9"]).file("b.warc.gz", &gzip);
    assert!(run.output().status.success());
    let zstd = std::fs::read(run.folder().join("c.warc.zst")).unwrap();
    assert!(zstd.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
    let mut run = varve(["warc", "convert", "c.warc.zst", "d.warc"]).file("c.warc.zst", &zstd);
    assert!(run.output().status.success());
    assert_eq!(std::fs::read(run.folder().join("d.warc")).unwrap(), plain, "not a byte differs");
}

#[test]
fn convert_turns_arc_into_warc_the_same_each_time() {
    let run = || {
        let mut run = varve(["warc", "convert", "old.arc", "new.warc"]).file("old.arc", ARC);
        let output = run.output();
        assert!(output.status.success(), "{output:?}");
        std::fs::read(run.folder().join("new.warc")).unwrap()
    };
    let warc = run();
    assert_eq!(warc, run());
    let (uris, faults) = sound(&warc);
    assert_eq!(uris, ["", "http://example.org/a%20b", "dns:example.org"]);
    assert_eq!(faults, []);
    insta::assert_snapshot!(String::from_utf8(warc).unwrap().replace('\r', ""));
}

#[test]
fn converted_records_that_share_a_member_have_ids_of_their_own() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(ARC).unwrap();
    let whole = encoder.finish().unwrap();
    let ids = |run: &mut Run| {
        assert!(run.output().status.success());
        let out = std::fs::read_to_string(run.folder().join("new.warc")).unwrap();
        let ids = out.lines().filter(|line| line.starts_with("WARC-Record-ID")).map(str::to_owned);
        ids.collect::<Vec<_>>()
    };
    let named = ids(&mut varve(["warc", "convert", "old.arc", "new.warc"]).file("old.arc", &whole));
    assert_eq!(named.iter().collect::<std::collections::HashSet<_>>().len(), 3, "{named:?}");
    // What comes from a pipe has the name that its first line says.
    assert_eq!(ids(&mut varve(["warc", "convert", "-", "new.warc"]).stdin(whole)), named);
}

#[test]
fn convert_says_which_record_of_which_file_cannot_be_copied() {
    let plain = String::from_utf8(file(&Encoding::Plain)).unwrap();
    let odd = plain.replacen("WARC-Date", "X-Odd: a\x07b\r\nWARC-Date", 1);
    let said = varve(["warc", "convert", "a.warc", "b.warc"]).file("a.warc", odd).shown();
    assert!(said.contains("error: a.warc: at byte 0: this record cannot be copied"), "{said}");
    assert!(said.contains("hint: `varve warc repair`"), "{said}");
}

#[test]
fn convert_refuses_a_damaged_file_and_leaves_nothing_behind() {
    let good = file(&Encoding::Gzip(6));
    let mut run =
        varve(["warc", "convert", "cut.warc.gz", "out.warc"]).file("cut.warc.gz", &good[..good.len() - 9]);
    insta::assert_snapshot!(run.shown());
    assert_eq!(std::fs::read_dir(run.folder()).unwrap().count(), 1);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let one = file(&Encoding::Gzip(6));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    std::fs::write(&path, one.repeat(3000)).unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["warc", "ls"])
        .arg(&path)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
}

/// The shell forbids files of more than a few blocks, which a program meets as it meets a full disk.
#[test]
fn convert_on_a_full_disk_fails_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    std::fs::write(&path, file(&Encoding::Plain).repeat(300)).unwrap();
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" warc convert a.warc b.warc";
    let output = std::process::Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_varve")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: "), "{said}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "only the input is left");
}

#[test]
fn an_empty_file_is_no_archive() {
    let verdict = json(&mut varve(["warc", "check", "--json", "e.warc.gz"]).file("e.warc.gz", ""));
    assert_eq!((verdict[0]["ok"].as_bool(), verdict[0]["records"].as_u64()), (Some(false), Some(0)));
}

#[test]
fn repair_that_saves_nothing_is_a_failure() {
    let mut run = varve(["warc", "repair", "t.txt", "o.warc"]).file("t.txt", "just text\n");
    assert_eq!(run.output().status.code(), Some(1));
}

/// Issue 20, point 14: a block that disagrees with its digest is kept, and so is the digest.
#[test]
fn repair_says_when_its_result_does_not_pass_check() {
    let good = String::from_utf8(file(&Encoding::Plain)).unwrap();
    let bad = good.replacen("varves", "Varves", 1);
    assert_ne!(good, bad);
    let mut run = varve(["warc", "repair", "a.warc", "out.warc"]).file("a.warc", &bad);
    let output = run.output();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error: out.warc does not pass `varve warc check`: 1 block-digest"), "{said}");
    assert!(said.contains("hint: `varve warc check out.warc`"), "{said}");
    assert_eq!(
        std::fs::read_to_string(run.folder().join("out.warc")).unwrap(),
        bad,
        "it is written all the same"
    );
    let summary = json(&mut varve(["warc", "repair", "--json", "a.warc", "out.warc"]).file("a.warc", &bad));
    assert_eq!(
        (&summary[0]["ok"], summary[0]["out_problems"].as_u64() > Some(0)),
        (&false.into(), true),
        "{summary:?}"
    );
    let summary = json(&mut varve(["warc", "repair", "--json", "a.warc", "out.warc"]).file("a.warc", &good));
    assert_eq!((&summary[0]["ok"], &summary[0]["out_problems"]), (&true.into(), &0.into()), "{summary:?}");
}

#[test]
fn convert_tells_what_is_odd() {
    let arc = String::from_utf8(ARC.to_vec()).unwrap().replace("20080430204827", "2008043020482799");
    let output = varve(["warc", "convert", "old.arc", "new.warc"]).file("old.arc", arc).output();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains("has not 14 digits"));
}

#[test]
fn grep_says_when_it_does_not_show_all() {
    let output = with_file(&["warc", "grep", "t", "--max-count", "1", "a.warc.gz"]).output();
    assert!(String::from_utf8(output.stderr).unwrap().contains("1 lines are shown of each"));
    let output = with_file(&["warc", "grep", "varves", "a.warc.gz"]).output();
    assert!(output.stderr.is_empty());
}

/// A file that breaks off is counted and searched as far as it goes, and still is a failure.
#[test]
fn stats_and_grep_keep_what_came_before_an_error() {
    let plain = file(&Encoding::Plain);
    let cut = &plain[..plain.len() - 8];
    let mut run = varve(["warc", "stats", "--json", "cut.warc"]).file("cut.warc", cut);
    assert_eq!(json(&mut run)[0]["types"]["response"]["records"], 1);
    let output = varve(["warc", "grep", "plain text", "cut.warc"]).file("cut.warc", cut).output();
    assert!(String::from_utf8(output.stdout).unwrap().contains("plain text"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn stats_counts_a_shared_member_once_also_when_it_is_large() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(&file(&Encoding::Plain).repeat(6000)).unwrap();
    let whole = encoder.finish().unwrap();
    let length = whole.len() as u64;
    let stats = json(&mut varve(["warc", "stats", "--json", "a.warc.gz"]).file("a.warc.gz", whole));
    assert_eq!(stats[0]["stored_bytes"].as_u64(), Some(length));
}
