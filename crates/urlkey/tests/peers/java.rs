//! jwarc, Heritrix, webarchive-commons, OpenWayback and OutbackCDX.

use serde_json::{Value, json};
use urlkey::request::{Dialect, request_query};
use urlkey::{HandyUrl, Rules, canonicalize, key_by, openwayback as old, percent, session};

use super::shown;

pub(crate) fn jwarc_request(_: &str, input: &Value, _: &Value) -> Option<Value> {
    let body = input["body"].as_str()?.as_bytes();
    Some(request_query("POST", input["content_type"].as_str(), body, Dialect::Jwarc).into())
}

pub(crate) fn jwarc(op: &str, input: &Value, _: &Value) -> Option<Value> {
    let url = input.as_str()?;
    Some(match op {
        "toNormalizedSurt" => shown(key_by(url, Rules::Jwarc)),
        "parseLeniently" => urlkey::repair::escape_illegal(url).into(),
        _ => return None,
    })
}

pub(crate) fn heritrix(op: &str, input: &Value, _: &Value) -> Option<Value> {
    let url = input.as_str()?;
    Some(match op {
        "fromURI" => urlkey::full_surt(url).into(),
        "surtPrefixFromSeed" => urlkey::implied_prefix(url).into(),
        "surtPrefixSearchSequence" => urlkey::prefix_search(url).into(),
        _ => return None,
    })
}

pub(crate) fn suffixes(_: &str, input: &Value, _: &Value) -> Option<Value> {
    Some(urlkey::topmost_assigned_surt(input.as_str()?).into())
}

pub(crate) fn outbackcdx(op: &str, input: &Value, _: &Value) -> Option<Value> {
    let url = input.as_str()?;
    Some(match op {
        "canonicalize" => shown(canonicalize(url, Rules::OutbackCdx)),
        "surtCanonicalize" | "toUnschemedSurt" => shown(key_by(url, Rules::OutbackCdx)),
        _ => return None,
    })
}

pub(crate) fn commons(op: &str, input: &Value, _: &Value) -> Option<Value> {
    let Some(url) = input.as_str() else {
        // Java has no URL where there is none; its key is a dash.
        return Some(if op == "makeKey" { "-".into() } else { Value::Null });
    };
    let bytes = url.as_bytes();
    Some(match op {
        "canon.aggressiveIA" => shown(canonicalize(url, Rules::IaAggressive)),
        "canon.ordinaryIA" => shown(canonicalize(url, Rules::IaOrdinary)),
        "canon.basic(google)" => shown(canonicalize(url, Rules::Google)),
        "stripPathSessionID" => super::text(session::strip_path(bytes).into_owned()),
        "stripQuerySessionID" => super::text(session::strip_query(bytes).into_owned()),
        "decode" => percent::decode_utf8(url).into_owned().into(),
        "unescapeRepeatedly" => super::text(percent::decode_repeatedly(bytes).into_owned()),
        "attemptIPFormats" => urlkey::resolve_ipv4(bytes).map(|ip| ip.to_string()).into(),
        "makeKey" => shown(key_by(url, Rules::IaAggressive)),
        "alphaReorderQuery" => super::text(urlkey::query::sort_fields(bytes).into_owned()),
        "getDefaultPort" => urlkey::default_port(bytes).unwrap_or(0).into(),
        "addDefaultSchemeIfNeeded" => urlkey::add_default_scheme(url).into_owned().into(),
        "parse" => parse(url)?,
        "publicSuffixSplit" => {
            urlkey::split_registrable(url).map(|(domain, front)| json!([domain, front])).into()
        }
        _ => return None,
    })
}

fn parse(url: &str) -> Option<Value> {
    let handy = HandyUrl::parse(url.as_bytes()).ok()?;
    let text = |part: &[u8]| super::text(part.to_vec());
    let opaque = handy.host.is_none();
    let part = |part: Option<&[u8]>| part.map(text).unwrap_or_default();
    Some(json!({
        "opaque": if opaque { text(url.as_bytes()) } else { Value::Null },
        "scheme": if opaque { Value::Null } else { text(&handy.scheme) },
        "user": part(handy.user.as_deref()),
        "pass": part(handy.password.as_deref()),
        "host": part(handy.host.as_deref()),
        "port": handy.port.map_or(-1, i32::from),
        "path": if opaque { Value::Null } else { text(&handy.path) },
        "query": part(handy.query.as_deref()),
        "fragment": part(handy.fragment.as_deref()),
        "url": text(&handy.to_url()),
        "pathQuery": text(&handy.path_and_query()),
    }))
}

pub(crate) fn openwayback(op: &str, input: &Value, _: &Value) -> Option<Value> {
    let url = input.as_str()?;
    Some(match op {
        "fixupHTTPUrlWithOneSlash" | "fixupScheme" => old::fix_scheme(url).into_owned().into(),
        "urlToHost" => old::host(url).into(),
        "urlToUserInfo" => old::user_info(url).into(),
        "urlToScheme" => old::scheme(url).into(),
        "getUrlParentDir" => old::parent_folder(url).into(),
        "getURLPath" => old::path(url).into(),
        "isAuthority" => urlkey::is_authority(url).into(),
        "stripDefaultPortFromUrl" => old::strip_default_port(url).into_owned().into(),
        "schemeToDefaultPort" => old::default_port(url).map_or(-1, i32::from).into(),
        "aggressive.checkCanonicalization" => shown(canonicalize(url, Rules::OpenWayback)),
        _ => return None,
    })
}
