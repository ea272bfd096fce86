//! Python `surt` and pywb.

use serde_json::{Value, json};
use urlkey::request::{Dialect, url_with_request};
use urlkey::{
    HandyUrl, Match, Rules, SurtForm, canonicalize, key_range, plain_range, session, surt_with, unsurt,
};

use super::shown;

pub(crate) fn surt(op: &str, input: &Value, _: &Value) -> Option<Value> {
    let url = input[0].as_str().unwrap_or_default();
    Some(match op {
        "handyurl_parse" => {
            shown(HandyUrl::parse(url.as_bytes()).map(|handy| super::text(handy.to_url_compact())))
        }
        "DefaultIAURLCanonicalizer" | "IAURLCanonicalizer" => shown(canonicalize(url, Rules::Wayback)),
        "GoogleURLCanonicalizer" => shown(canonicalize(url, Rules::Google)),
        "attemptIPFormats" => urlkey::resolve_ipv4(url.as_bytes()).map(|ip| ip.to_string()).into(),
        "unescapeRepeatedly" => super::text(urlkey::percent::decode_repeatedly(url.as_bytes()).into_owned()),
        "alphaReorderQuery" => super::text(urlkey::query::sort_fields(url.as_bytes()).into_owned()),
        "getDefaultPort" => urlkey::default_port(url.as_bytes()).unwrap_or(0).into(),
        "stripPathSessionID" => super::text(session::strip_path(url.as_bytes()).into_owned()),
        "stripQuerySessionID" => super::text(session::strip_query(url.as_bytes()).into_owned()),
        "hostToSURT" => {
            let host = url.as_bytes();
            let quad = url.split('.').count() == 4 && url.split('.').all(|part| part.parse::<u16>().is_ok());
            let reversed = super::text(urlkey::reverse_host(host, false));
            json!([reversed, if quad { url.into() } else { reversed.clone() }])
        }
        "surt" => shown(surt_with(url.as_bytes(), form(&input[1])).map(super::text)),
        "options" => {
            let form = SurtForm { scheme: true, ..form(&input[1]) };
            let surt = surt_with(url.as_bytes(), form).unwrap();
            let surt = String::from_utf8(surt).unwrap();
            let (scheme, rest) = surt.split_once("(").unwrap();
            format!("{scheme}{}", unsurt(rest)).into()
        }
        _ => return None,
    })
}

fn form(options: &Value) -> SurtForm {
    let usual = SurtForm::default();
    let flag = |name: &str, usual: bool| options[name].as_bool().unwrap_or(usual);
    SurtForm {
        scheme: flag("with_scheme", usual.scheme),
        trailing_comma: flag("trailing_comma", usual.trailing_comma),
        reverse_ipv4: flag("reverse_ipaddr", usual.reverse_ipv4),
        strip_www: flag("host_massage", usual.strip_www),
        lowercase_query: flag("query_lowercase", usual.lowercase_query),
    }
}

pub(crate) fn pywb(op: &str, input: &Value, _: &Value) -> Option<Value> {
    Some(match op {
        "canonicalize" => {
            let url = input["args"][0].as_str().or(input.as_str())?;
            let key = urlkey::surt(url);
            let plain = input["kw"]["surt_ordered"] == false || input["args"][1] == false;
            shown(key.map(|key| if plain { unsurt(&key) } else { key }))
        }
        "unsurt" => unsurt(input.as_str()?).into(),
        "calc_search_range" => {
            let url = input["args"][0].as_str()?;
            let plain = input["args"][2] == false || input["kw"]["surt_ordered"] == false;
            let range = input["args"][1].as_str()?.parse::<Match>();
            let range =
                range.and_then(|kind| if plain { plain_range(url, kind) } else { key_range(url, kind) });
            shown(range.map(|range| json!([range.start, range.end])))
        }
        _ => return None,
    })
}

pub(crate) fn post(op: &str, input: &Value, _: &Value) -> Option<Value> {
    if op != "append_method_query" {
        return None;
    }
    let body = match (
        input["body"]["utf8"].as_str(),
        input["body"]["$b64"].as_str().or(input["body"]["b64"].as_str()),
    ) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, Some(base64)) => data_encoding::BASE64.decode(base64.as_bytes()).unwrap(),
        _ => return None,
    };
    // What has no length has no body, as far as pywb is concerned.
    let length = input["length"].as_u64().or_else(|| input["length"].as_str()?.parse().ok()).unwrap_or(0);
    let body = body.get(..usize::try_from(length).ok()?).unwrap_or(&body);
    let url = input["url"].as_str()?;
    Some(url_with_request(url, input["method"].as_str()?, input["mime"].as_str(), body, Dialect::Pywb).into())
}
