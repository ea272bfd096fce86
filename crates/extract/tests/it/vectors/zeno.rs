//! Zeno's extractors. What its crawler decides (which hosts, how many hops, which paths are traps) is not asked here.

use extract::charset::Charset;
use extract::identify::{Claims, Kind, identify};
use extract::mime::Mime;
use extract::{Limits, css, headers, json, likely, plain, script, xml};
use serde_json::{Value, json};

use super::{found, is_embed, references, same};

const SCOPE: &str = "which hosts belong to a crawl is for the crawler's scope to say";
const TRAP: &str = "which paths are traps is for the crawler's scope to say";

pub(super) const NOT_OURS: &[(&str, &str)] = &[
    ("TestIsNaiveDomain", SCOPE),
    ("TestIsSubdomain", SCOPE),
    ("TestAddElements", SCOPE),
    ("TestMatch", SCOPE),
    ("TestMatchRegexExclusion", SCOPE),
    ("TestReverseHost", "keys of hosts are made by `urlkey`"),
    ("TestHasPathLoop", TRAP),
    ("TestNormalizeURL", TRAP),
    ("TestPathToHop", "hops are counted by the crawler"),
    (
        "TestObjectStorageOutlinkExtractorMatch",
        "listings of object stores are read as any other XML, whoever serves them",
    ),
];

pub(super) fn judge(case: &Value) -> Option<(bool, Value)> {
    let (input, expect) = (&case["input"], &case["expect"]);
    let text = |name: &str| input[name].as_str().unwrap_or_default();
    let is = |ours: bool, name: &str| Some((expect[name] == ours, json!(ours)));
    match case["op"].as_str()? {
        "TestCSSParser" => css_links(text("CSS"), expect),
        "TestJSON" if expect["wantErr"] == true => Some((false, json!("nothing is an error"))),
        "TestJSON" => {
            let links = found(|links| json::links(text("body"), links));
            Some(same(references(&links), &expect["wantOutlinks"]))
        }
        "TestXML" => {
            let links = found(|links| drop(xml::links(text("body"), &Limits::default(), links)));
            Some(same(references(&links), &expect["expected"]))
        }
        "TestExtractURLsFromHeader" => {
            let links = found(|links| headers::links([("Link", text("link"))], links));
            Some(same(references(&links), &expect["expected"]))
        }
        "TestParseAttr" => {
            let targets = headers::targets(&format!("<x>; {}", text("attr")));
            let (name, value) = targets.first()?.parameters.first().cloned().unwrap_or_default();
            Some((expect["wantKey"] == *name && expect["wantValue"] == *value, json!([name, value])))
        }
        "TestIsValidURL" => is(likely::is(text("url")).is_some() || likely::may_be(text("url")), "expected"),
        "TestHasFileExtension" => is(likely::has_extension(text("input")), "want"),
        "TestLinkRegex" => {
            let links = found(|links| plain::links(text("input"), links));
            Some(same(references(&links), &expect["expected"]))
        }
        "TestQuotedLinkRegex" => {
            let links = found(|links| script::links(text("input"), links));
            Some(same(references(&links), &expect["expected"]))
        }
        "TestResolveURL" => resolve(input, expect),
        "TestSitemapXMLOutlinkExtractor" => {
            let identity = identify(text("xmlData").trim().as_bytes(), &Claims::default());
            is(identity.kind == Kind::Sitemap, "want")
        }
        "Test_charsetNewReader" => {
            let mime = Mime::parse(text("contentType"))?;
            let name = Charset::find(text("input").as_bytes(), &mime)?.encoding.name();
            Some((expect["wantEnc"] == name.to_ascii_lowercase(), json!(name)))
        }
        "Test_encodeNonUTF8QueryURLs" => encoded(input, expect),
        _ => None,
    }
}

fn css_links(css: &str, expect: &Value) -> Option<(bool, Value)> {
    let links = found(|links| css::links(css, links));
    let (imports, others): (Vec<_>, Vec<_>) =
        links.into_iter().filter(is_embed).partition(|link| link.rule.attribute() == "import");
    let (right, ours) = same(references(&others), &expect["expectedLinks"]);
    let (right_imports, our_imports) = same(references(&imports), &expect["expectedAtImportLinks"]);
    Some((right && right_imports, json!([ours, our_imports])))
}

/// Resolving is the `url` crate's; the page's own address serves where its base is none.
fn resolve(input: &Value, expect: &Value) -> Option<(bool, Value)> {
    let text = |name: &str| input[name].as_str().filter(|text| !text.is_empty());
    let ours = urlkey::parse_whatwg(text("URL")?, text("base").or(text("parentURL"))).map(String::from);
    let failed = expect["expectErr"] == true;
    let right = if failed { ours.is_err() } else { ours.as_deref().ok() == expect["want"].as_str() };
    Some((right, json!(ours.ok())))
}

fn encoded(input: &Value, expect: &Value) -> Option<(bool, Value)> {
    let encoding = encoding_rs::Encoding::for_label(input["encName"].as_str()?.as_bytes())?;
    let parse = |text: &Value| {
        let options = url::Url::options();
        let text = text.as_str().unwrap();
        options
            .encoding_override(Some(&|query| encoding.encode(query).0.into_owned().into()))
            .parse(text)
            .unwrap()
            .to_string()
    };
    let ours: Vec<String> = input["urls"].as_array()?.iter().map(parse).collect();
    Some((expect["wantUrls"] == json!(ours), json!(ours)))
}
