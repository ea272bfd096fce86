//! urlcanon, Java and Python.

use serde_json::{Map, Value};
use urlkey::{Parts, Rules, canonicalize_bytes, percent, query, session};

use super::{bytes, shown, text};

pub(crate) fn answer(op: &str, input: &Value, _: &Value) -> Option<Value> {
    let url = bytes(input.as_str()?);
    let canonical = |rules| shown(canonicalize_bytes(&url, rules).map(text));
    Some(match op {
        "aggressive" => canonical(Rules::UrlcanonAggressive),
        "semantic" => canonical(Rules::UrlcanonSemantic),
        "semantic_precise" => canonical(Rules::UrlcanonSemanticPrecise),
        "supplemental_whatwg" | "whatwg" => canonical(Rules::UrlcanonWhatwg),
        "surt.google" | "surt.googleSupplementalFromSurt" | "google" => canonical(Rules::UrlcanonGoogle),
        "surt.Canonicalizer.DefaultIA" | "surt.Canonicalizer.IA" => canonical(Rules::Wayback),
        "surt.defaultIASurt" => shown(urlkey::surt_bytes(&url).map(text)),
        "surt.unescapeRepeatedly" => text(percent::decode_repeatedly(&url).into_owned()),
        "surt.alphaRorderQuery" => text(query::sort_fields(&url).into_owned()),
        "surt.stripPathSessionId" => text(session::strip_path(&url).into_owned()),
        "surt.stripQuerySessionId" => text(session::strip_query(&url).into_owned()),
        "funky_ipv4" => urlkey::parse_ipv4(&url).map(|ip| ip.to_string()).into(),
        "path_dots.special" => text(urlkey::resolve_path_dots(&url, true)),
        "path_dots.nonspecial" => text(urlkey::resolve_path_dots(&url, false)),
        "ssurt.ssurtHost" => text(urlkey::ssurt_host(&url, true)),
        "ssurt.reverseHost" => text(urlkey::reverse_host(&url, true)),
        "ssurt.ssurt" => text(Parts::parse(&url).ssurt()),
        "ssurt.surt" => text(Parts::parse(&url).surt(true, true)),
        "ssurt.surtWithoutScheme" => text(Parts::parse(&url).surt(false, true)),
        "ssurt.surtWithoutTrailingComma" => text(Parts::parse(&url).surt(true, false)),
        "idempotence" => text(Parts::parse(&url).to_bytes()),
        "parsing" => parsing(&url),
        _ => return None,
    })
}

fn parsing(url: &[u8]) -> Value {
    let parts = Parts::parse(url);
    let ancestry: Vec<Value> = parts.surt_ancestry().into_iter().map(text).collect();
    let is_file = parts.scheme == b"file";
    let address = |address: Option<Value>| if is_file { Value::Null } else { address.into() };
    let mut map = Map::new();
    map.insert("ip4".into(), address(parts.ipv4().map(|ip| ip.to_bits().into())));
    map.insert("ip6".into(), address(parts.ipv6().map(|ip| ip.to_string().into())));
    map.insert("surt_ancestry".into(), ancestry.into());
    for (name, part) in [
        ("leading_junk", parts.leading_junk),
        ("scheme", parts.scheme),
        ("colon_after_scheme", parts.colon_after_scheme),
        ("slashes", parts.slashes),
        ("username", parts.username),
        ("colon_before_password", parts.colon_before_password),
        ("password", parts.password),
        ("at_sign", parts.at_sign),
        ("host", parts.host),
        ("colon_before_port", parts.colon_before_port),
        ("port", parts.port),
        ("path", parts.path),
        ("question_mark", parts.question_mark),
        ("query", parts.query),
        ("hash_sign", parts.hash_sign),
        ("fragment", parts.fragment),
        ("trailing_junk", parts.trailing_junk),
    ] {
        map.insert(name.into(), text(part));
    }
    Value::Object(map)
}
