//! wabac.js's pages, scripts, style sheets, headers and URLs.

use rewrite::{Kind, Modifier, Place, Settings, headers};
use serde_json::Value;

use super::compare::Replay;
use super::pywb::{under_prefix, whole_prefix};
use super::pywb_scripts::proxied;
use super::{each, string};
use crate::rewrite;

const PAGE: &str = "https://example.com/some/path/index.html";
const TIME: &str = "20201226101010";
const PREFIX: &str = "http://localhost:8080/prefix/";

fn place(url: &str) -> Place {
    Place::new(PREFIX, TIME, Modifier::Frame, url).unwrap()
}

fn run(kind: Kind, url: &str, head: &str, text: &str) -> String {
    let settings = Settings { head: head.as_bytes().to_vec(), ..Settings::new(place(url), kind) };
    String::from_utf8(rewrite(settings, text.as_bytes())).unwrap()
}

#[test]
fn everything_behaves_alike() {
    let replay = Replay::new(PREFIX, &format!("{TIME}mp_/{PAGE}"));
    each("wabac-rewrite", |case| {
        let input = &case["input"];
        let content = input["content"].as_str().unwrap_or_default();
        match string(case, "/op") {
            "html_rewrite" => html(case, content, &replay),
            "css_rewrite" => {
                let ours = run(Kind::Css, PAGE, "", content);
                let expect = string(case, "/expect");
                Some((format!("{:?}", replay.of_css(expect)), format!("{:?}", replay.of_css(&ours))))
            }
            "js_rewrite" => Some(script(case, content, &replay)),
            "jsonp_rewrite" => {
                let ours = run(Kind::Json, string(input, "/url"), "", content);
                Some((string(case, "/expect").to_owned(), ours))
            }
            "header_rewrite" => {
                let pair = (string(input, "/name").to_owned(), string(input, "/value").to_owned());
                let ours = headers(&place(PAGE), &[pair]).remove(0).1;
                let seen = |text: &str| format!("{:?}", replay.of_links(text));
                Some((seen(string(case, "/expect")), seen(&ours)))
            }
            "url_rewrite" => Some(url(case)),
            _ => None,
        }
    });
}

fn html(case: &Value, content: &str, replay: &Replay) -> Option<(String, String)> {
    let options = &case["input"]["options"];
    let head = options["headInsertText"].as_str().unwrap_or_default();
    let ours = run(Kind::Html, options["url"].as_str().unwrap_or(PAGE), head, content);
    let expect = string(case, "/expect");
    // Where their script runs in a scope of its own, every use of the name in ours must be caught.
    let is_wrapped = expect.contains("let location = ");
    let script = if is_wrapped { content.matches("location").count() } else { 0 };
    let renamed = if is_wrapped { ours.matches("__varve_location").count() } else { 0 };
    let map = if content.contains("importmap") { replay.of_json(script_text(expect)) } else { Vec::new() };
    let our_map = if content.contains("importmap") { replay.of_json(script_text(&ours)) } else { Vec::new() };
    let is_head_first =
        |text: &str| head.is_empty() || text.find(head) <= text.find("content<") && text.contains(head);
    let text = |text: &str| text.contains("&#x3d;12");
    let policy = |text: &str| text.contains("http-equiv=\"Content-Security-Policy\" content=");
    let seen = |html: &str| {
        format!("{:#?} {} {} {}", replay.of_html(html), is_head_first(html), text(html), policy(html))
    };
    Some((format!("{} {script} {map:?}", seen(expect)), format!("{} {renamed} {our_map:?}", seen(&ours))))
}

/// What is inside of the first script of a page.
fn script_text(html: &str) -> &str {
    let (_, behind) = html.split_once("importmap\">").unwrap();
    behind.split_once("</script>").unwrap().0
}

fn script(case: &Value, content: &str, replay: &Replay) -> (String, String) {
    let ours = run(Kind::Script, PAGE, "", content);
    let mut expect = string(case, "/expect/text").to_owned();
    if string(case, "/expect/wrapper") != "exact" {
        expect = format!("let location = ;let arguments;\n\n{expect}");
    }
    // Imports are compared by where they lead, and read back for the rest.
    let imports = format!("{:?} {}", replay.of_text(&expect), expect.contains("____wb_rewrite_import__"));
    let our_imports = format!("{:?} false", replay.of_text(&ours));
    let archive = |text: &str| {
        text.replace(&format!("{PREFIX}{TIME}js_/"), "")
            .replace("https://example.com/some/path/to/file", "/some/path/to/file")
    };
    let (expected, found) = proxied(&archive(content), &expect, &archive(&ours));
    (format!("{expected} {imports}"), format!("{found} {our_imports}"))
}

fn url(case: &Value) -> (String, String) {
    let input = &case["input"];
    let (link, base, prefix) = (string(input, "/url"), string(input, "/base"), string(input, "/prefix"));
    let whole = whole_prefix(prefix);
    let expect = under_prefix(string(case, "/expect"), prefix, &whole);
    let place = Place::new(&whole, "", Modifier::Page, base).unwrap();
    // Their prefix has the time in it, and ours would put a slash behind.
    let replay = Replay::new(&whole, base);
    let ours = place.rewrite(link, Modifier::Page).replacen(&format!("{whole}/"), &whole, 1);
    (replay.archived(&expect, None), replay.archived(&ours, None))
}
