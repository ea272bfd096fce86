//! Pictures, video, PDF, data and feeds are what they say they are, and all of it is small.

use crate::{numbers, text};

/// How the files of a type begin, after so many bytes.
const MAGIC: [(&str, usize, &[u8]); 8] = [
    ("image/png", 0, b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", 0, b"\xff\xd8\xff"),
    ("image/webp", 8, b"WEBP"),
    ("image/gif", 0, b"GIF8"),
    ("image/vnd.microsoft.icon", 0, b"\0\0\x01\0"),
    ("image/svg+xml", 0, b"<svg "),
    ("video/webm", 0, b"\x1a\x45\xdf\xa3"),
    ("application/pdf", 0, b"%PDF-1.4\n"),
];

#[test]
fn every_file_begins_as_its_type_does() {
    let mut seen = std::collections::BTreeSet::new();
    for edition in numbers() {
        for path in demo::paths() {
            let answer = demo::answer(edition, &path);
            if let Some((kind, at, magic)) = MAGIC.iter().find(|(kind, ..)| *kind == answer.content_type) {
                assert!(answer.body.len() > 40 && answer.body[*at..].starts_with(magic), "{edition} {path}");
                seen.insert(*kind);
            }
        }
    }
    assert_eq!(seen.len(), MAGIC.len(), "{seen:?}");
}

#[test]
fn the_site_is_small() {
    let bodies: Vec<_> = demo::paths().into_iter().map(|path| (demo::answer(3, &path), path)).collect();
    let sum = |is_one: &dyn Fn(&str) -> bool| -> usize {
        let chosen = bodies.iter().filter(|(answer, _)| is_one(answer.content_type));
        chosen.map(|(answer, _)| answer.body.len()).sum()
    };
    let rasters = sum(&|kind| kind.starts_with("image/") && kind != "image/svg+xml");
    let video = sum(&|kind| kind.starts_with("video/"));
    assert!((50_000..150_000).contains(&rasters), "{rasters} bytes of pictures");
    assert!((20_000..100_000).contains(&video), "{video} bytes of video");
    let largest = bodies.iter().max_by_key(|(answer, _)| answer.body.len()).unwrap();
    assert!(largest.0.body.len() < 100_000, "{}", largest.1);
}

#[test]
fn data_is_json() {
    for edition in numbers() {
        let mut count = 0;
        for path in demo::paths().into_iter().filter(|path| path.ends_with(".json")) {
            let answer = demo::answer(edition, &path);
            if answer.status == 200 {
                let value: serde_json::Value = serde_json::from_slice(&answer.body).expect(&path);
                assert!(value.is_object() || value.as_array().is_some_and(|list| !list.is_empty()), "{path}");
                count += 1;
            }
        }
        assert!(count >= 10, "{edition}: {count}");
    }
}

#[test]
fn places_of_the_map_are_on_the_map() {
    let map = text(1, "/map.html");
    let places: serde_json::Value = serde_json::from_str(&text(1, "/data/places.json")).unwrap();
    for place in places.as_array().unwrap() {
        let id = place["id"].as_str().unwrap();
        assert!(map.contains(&format!("data-place=\"{id}\"")), "{id}");
        for path in ["picture", "story"].into_iter().filter_map(|name| place[name].as_str()) {
            for edition in numbers() {
                assert_eq!(demo::answer(edition, path).status, 200, "{edition} {path}");
            }
        }
    }
}

#[test]
fn the_timetable_is_a_sound_pdf() {
    for edition in numbers() {
        let file = text(edition, "/files/ferry-timetable.pdf");
        // Every entry of the table leads to the object of its number, and the end leads to the table.
        let (before, table) = file.split_once("xref\n0 8\n").unwrap();
        for (number, line) in table.lines().skip(1).take(7).enumerate() {
            let at: usize = line[..10].parse().unwrap();
            assert!(file[at..].starts_with(&format!("{} 0 obj\n", number + 1)), "{line}");
            assert_eq!(line.len(), 19);
        }
        assert!(file.ends_with(&format!("startxref\n{}\n%%EOF\n", before.len())));
        let (head, rest) = file.split_once(" >>\nstream\n").unwrap();
        let length: usize = head.rsplit("/Length ").next().unwrap().parse().unwrap();
        assert!(rest[length..].starts_with("endstream"));
    }
    assert!(text(3, "/files/ferry-timetable.pdf").contains("Winter timetable"));
}

#[test]
fn the_feed_and_the_sitemap_name_what_is_there() {
    for edition in numbers() {
        for (path, element) in [("/feed.xml", "<link>"), ("/sitemap.xml", "<loc>")] {
            let document = text(edition, path);
            let named = document.split(element).skip(1);
            let urls: Vec<&str> = named.map(|rest| rest.split('<').next().unwrap()).collect();
            assert!(urls.len() > 8, "{edition} {path}");
            for url in urls {
                let target = url.strip_prefix("http://www.siltmere.example").expect(url);
                let status = demo::answer(edition, target).status;
                assert!(status == 200 || (status == 500 && edition == 2), "{edition} {target} {status}");
            }
        }
    }
}
