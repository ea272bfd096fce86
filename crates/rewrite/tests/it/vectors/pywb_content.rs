//! pywb's whole answers: headers and body, as its own tests recorded them.

use std::io::Read as _;

use data_encoding::BASE64;
use rewrite::{Kind, Modifier, Place, Settings, headers, kind_of};
use serde_json::Value;

use super::compare::Replay;
use super::pywb_scripts::proxied;
use super::{each, string};
use crate::rewrite;

#[test]
fn answers_behave_alike() {
    each("pywb-content-rewrite", |case| {
        let input = &case["input"];
        let (url, prefix, ts) = (string(input, "/url"), string(input, "/prefix"), string(input, "/ts"));
        let time: String = ts.chars().filter(char::is_ascii_digit).collect();
        let suffix = ts.trim_start_matches(|c: char| c.is_ascii_digit());
        // `bn_` is a modifier of theirs for what is not rewritten.
        let modifier = if suffix == "bn_" { Modifier::Raw } else { Modifier::parse(suffix) };
        let place = Place::new(prefix, &time, modifier, url).unwrap();
        let head: Vec<(String, String)> = input["headers"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()))
            .collect();
        let mime = input.pointer("/headers/Content-Type").and_then(Value::as_str).unwrap_or_default();
        let kind = kind_of(mime, modifier, url);
        let mut body = bytes(&input["content"]);
        // How bodies travel is undone by whoever reads the record, with this.
        if input.pointer("/headers/Transfer-Encoding").is_some() {
            let mut whole = Vec::new();
            warc::Dechunk::new(body.as_slice()).read_to_end(&mut whole).unwrap();
            body = whole;
        }
        let charset = mime.split_once("charset=").map(|(_, charset)| charset.to_owned());
        let settings = Settings { charset, ..Settings::new(place.clone(), kind) };
        let ours = rewrite(settings, &body);
        let theirs = bytes(&case["expect"]["body"]);
        let head = if modifier == Modifier::Raw { head } else { headers(&place, &head) };
        let replay = Replay::new(prefix, &format!("{ts}/{url}"));
        let (expected, found) = bodies(kind, &replay, &body, &theirs, &ours);
        let cookie = |pairs: Vec<(String, String)>| {
            pairs
                .into_iter()
                .find(|(name, _)| name.eq_ignore_ascii_case("set-cookie"))
                .map(|(_, value)| value)
        };
        let expected_head: Vec<(String, String)> = case["expect"]["headers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| (pair[0].as_str().unwrap().to_owned(), pair[1].as_str().unwrap().to_owned()))
            .collect();
        // They call a frame `mp_`.
        let their_cookie = cookie(expected_head).map(|cookie| cookie.replace("mp_/", "if_/"));
        Some((format!("{expected} {their_cookie:?}"), format!("{found} {:?}", cookie(head))))
    });
}

fn bodies(kind: Kind, replay: &Replay, input: &[u8], theirs: &[u8], ours: &[u8]) -> (String, String) {
    let text = |bytes: &[u8]| match String::from_utf8(bytes.to_vec()) {
        Ok(text) => text,
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    let (input, theirs, ours) = (text(input), text(theirs), text(ours));
    match kind {
        Kind::Html | Kind::Xhtml => {
            (format!("{:#?}", replay.of_html(&theirs)), format!("{:#?}", replay.of_html(&ours)))
        }
        Kind::Css => (format!("{:?}", replay.of_css(&theirs)), format!("{:?}", replay.of_css(&ours))),
        Kind::Script if theirs.contains("let arguments") || theirs.contains("wombat") => {
            let theirs = theirs.replace("WB_wombat_location", "location");
            let wrapped = if theirs.contains("let arguments") {
                theirs.clone()
            } else {
                // Renamed by them as well, or loaded into a worker where it is.
                let code = theirs.split_once("})();").map_or(&*theirs, |(_, code)| code);
                format!("let location = ;let arguments;\n\n{code}")
            };
            let (expected, found) = proxied(&input, &wrapped, &ours);
            let rules = |text: &str| text.contains("__dash");
            (format!("{expected} {}", rules(&theirs)), format!("{found} {}", rules(&ours)))
        }
        _ => (theirs, ours),
    }
}

fn bytes(value: &Value) -> Vec<u8> {
    match (value.as_str(), value["utf8"].as_str(), value["b64"].as_str()) {
        (Some(text), ..) | (_, Some(text), _) => text.as_bytes().to_vec(),
        (.., Some(text)) => BASE64.decode(text.as_bytes()).unwrap(),
        _ => panic!("no bytes in {value}"),
    }
}
