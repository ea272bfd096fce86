//! pywb's scripts, style sheets and XML.

use rewrite::{Kind, Modifier, Place, Settings};

use super::compare::{Replay, caught};
use super::{each, string};
use crate::rewrite;

#[test]
fn scripts_and_sheets_behave_alike() {
    each("pywb-js-css-xml-rewrite", |case| {
        let (op, input, expect) = (string(case, "/op"), string(case, "/input"), string(case, "/expect"));
        let kind = match op {
            "test_css" => Kind::Css,
            "test_xml" => Kind::Xml,
            _ => Kind::Script,
        };
        let place = Place::new("/web/", "20131010", Modifier::Page, "http://example.com/").unwrap();
        let ours = String::from_utf8(rewrite(Settings::new(place, kind), input.as_bytes())).unwrap();
        let replay = Replay::new("/web/", "20131010/http://example.com/");
        match op {
            "test_css" => {
                Some((format!("{:?}", replay.of_css(expect)), format!("{:?}", replay.of_css(&ours))))
            }
            "test_xml" => {
                Some((format!("{:?}", replay.of_text(expect)), format!("{:?}", replay.of_text(&ours))))
            }
            "test_js" => Some((script(expect), script(&ours))),
            _ => Some(proxied(input, expect, &ours)),
        }
    });
}

/// A script without what only their design needs: all that is left is the text and the names that are caught.
fn script(text: &str) -> String {
    text.replace("__varve_location", "WB_wombat_location")
        .replace("WB_wombat_top", "top")
        .replace("/web/20131010/", "")
}

/// What their proxies catch, we must catch too; and nothing else of the text may change.
pub(super) fn proxied(input: &str, expect: &str, ours: &str) -> (String, String) {
    let theirs: Vec<bool> = theirs(expect);
    let all = caught(ours, "__varve_location");
    let missed: Vec<usize> = theirs
        .iter()
        .enumerate()
        .filter(|(number, caught)| **caught && all.get(*number) != Some(&true))
        .map(|(n, _)| n)
        .collect();
    let expected = format!("{input}\ncaught, {} of them; missed []", theirs.len());
    let same = ours.replace("__varve_location", "location");
    (expected, format!("{same}\ncaught, {} of them; missed {missed:?}", all.len()))
}

/// Uses of `location` in their output, and whether each is seen to: by a check of `this`, or of an assignment, or because
/// the whole script runs where the name is theirs.
fn theirs(expect: &str) -> Vec<bool> {
    const THIS: &str = "_____WB$wombat$check$this$function_____(this)";
    let body = match expect.split_once("let arguments;\n\n") {
        Some((_, body)) => body,
        None => expect,
    };
    let is_wrapped = expect.contains("let location = ");
    let marked = body
        .replace(&format!("{THIS}.location"), "this.@location")
        .replace("location = ((self.__WB_check_loc && self.__WB_check_loc(location, arguments)) || {}).href =", "@location =")
        .replace("location = ((self.__WB_check_loc && self.__WB_check_loc(location, arguments)) || {}).maybeHref =", "@location =")
        .replace("location = ((self.__WB_check_loc && self.__WB_check_loc(location, [])) || {}).maybeHref =", "@location =");
    caught(&marked, "@location").into_iter().map(|caught| caught || is_wrapped).collect()
}
