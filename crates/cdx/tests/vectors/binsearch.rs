//! `pywb-binsearch.jsonl`: searching a sorted plain file.

use std::fs::File;

use cdx::Limits;
use cdx::query::KeyRange;
use cdx::search::SortedFile;

use crate::differences::tally;

#[test]
fn sorted_files_are_searched_as_pywb_does() {
    let mut tally = tally();
    for (name, vector) in crate::questions("pywb-binsearch.jsonl") {
        let args: Vec<&str> =
            vector["input"]["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
        let range = match args.as_slice() {
            [start, end, "range"] => KeyRange::between(*start, *end),
            [key, "exact"] => KeyRange::exact(key),
            [key, "prefix"] => KeyRange::prefix(key),
            other => panic!("{name}: {other:?}"),
        };
        let before = vector["input"]["kw"]["prev_size"].as_u64().unwrap_or_default() as usize;
        let file = File::open(crate::folder().unwrap().join("pywb-sample_archive/cdx/iana.cdx")).unwrap();
        let mut file = SortedFile::new(file, Limits::default()).unwrap();
        let mut found = file.find_with_before(&range, before).unwrap();
        let mut lines = Vec::new();
        while let Some(line) = found.next_line().unwrap() {
            lines.push(String::from_utf8(line.to_vec()).unwrap());
        }
        tally.note(&name, &lines.join("\n"), vector["expect"].as_str().unwrap());
    }
    tally.settle();
}
