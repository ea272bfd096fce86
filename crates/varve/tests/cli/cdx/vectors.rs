//! The built program on the vectors of cdxj-indexer and pywb, as far as they speak of options that the command line has.

use serde_json::Value;

use crate::run::varve;

/// What `varve cdx make` prints for a file of the vectors, and whether it failed.
fn made(folder: &str, file: &str, words: &[String]) -> (String, bool) {
    let path = testkit::vectors::dir().unwrap().join("01-warc-arc").join(folder).join(file);
    let mut line = vec!["cdx".to_owned(), "make".to_owned(), path.display().to_string()];
    line.extend_from_slice(words);
    let output = varve(&line).output();
    (String::from_utf8(output.stdout).unwrap(), output.status.code() != Some(0))
}

fn vectors(name: &str) -> Vec<Value> {
    let Some(dir) = testkit::vectors::dir() else { return Vec::new() };
    testkit::vectors::jsonl(dir.join("01-warc-arc/cdx-queries").join(name))
}

#[test]
fn files_are_indexed_as_cdxj_indexer_does() {
    for vector in vectors("cdxj-indexer.jsonl") {
        let (input, options) = (&vector["input"], &vector["input"]["options"]);
        let mut words = Vec::new();
        let mut add =
            |words_of_option: &[&str]| words.extend(words_of_option.iter().map(ToString::to_string));
        if options["post_append"] == Value::Bool(true) {
            add(&["--post-append"]);
        }
        if options["cdx09"] == Value::Bool(true) {
            add(&["--format", "cdx9"]);
        }
        for (option, flag) in
            [("records", "--records"), ("fields", "--fields"), ("replace_fields", "--replace-fields")]
        {
            if let Some(value) = options[option].as_str() {
                add(&[flag, value]);
            }
        }
        for flag in input["cli"].as_array().into_iter().flatten() {
            add(&[flag.as_str().unwrap()]);
        }
        for file in input["files"].as_array().unwrap() {
            let file = file.as_str().unwrap();
            let mut words = words.clone();
            if options["dir_root"].is_string() {
                // The vectors were made two folders above the files.
                words.extend(["--name".to_owned(), format!("test/data/{file}")]);
            }
            let (found, _) = made("cdxj-indexer-data", file, &words);
            assert_eq!(found, vector["expect"].as_str().unwrap(), "{words:?} {file}");
        }
    }
}

#[test]
fn files_are_indexed_as_pywb_does() {
    for vector in vectors("pywb-indexing.jsonl") {
        let input = &vector["input"];
        let file = input.as_str().unwrap_or_else(|| input["args"][0].as_str().unwrap());
        let mut words: Vec<String> = ["--pywb", "--lenient", "--format", "cdx11"].map(str::to_owned).into();
        for (option, flag) in [
            ("include_all", "--all-records"),
            ("append_post", "--post-append"),
            ("minimal", "--minimal"),
            ("verify_http", "--verify-http"),
        ] {
            if input["kw"][option] == Value::Bool(true) {
                words.push(flag.to_owned());
            }
        }
        let (found, has_failed) = made("pywb-sample_archive/warcs", file, &words);
        match vector["expect"].as_str() {
            Some(expect) => assert_eq!(found.trim_end(), expect, "{words:?} {file}"),
            // That there is an error is what counts; its words are our own.
            None => assert!(has_failed, "{words:?} {file}"),
        }
    }
}
