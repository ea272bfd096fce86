//! w3lib, Scrapy's library.

use data_encoding::BASE64;
use encoding_rs::Encoding;
use serde_json::{Value, json};
use urlkey::data_uri::DataUri;
use urlkey::query::{self, Cleaning};
use urlkey::repair::{self, PageEncoding};
use urlkey::scrapy::{self, Canonical};

use super::shown;

pub(crate) fn answer(op: &str, input: &Value, _: &Value) -> Option<Value> {
    let args = &input["args"];
    let kw = &input["kw"];
    let encoding = encoding(&kw["encoding"]);
    let page = PageEncoding {
        query: encoding,
        path: self::encoding(&kw["path_encoding"]),
        quote_path: kw["quote_path"].as_bool().unwrap_or(true),
    };
    let url = text(&args[0], encoding)?;
    Some(match op.strip_prefix("url.")? {
        "safe_url_string" => shown(repair::safe_url(&url, page)),
        "safe_download_url" => shown(repair::download_url(&url, page)),
        "is_url" => repair::looks_like_url(&url).into(),
        "url_query_parameter" => {
            let keep = args[3].as_u64() == Some(1) || truthy(&args[3]) || truthy(&kw["keep_blank_values"]);
            let found = query::parameter(&url, args[1].as_str()?, keep);
            found.or(args[2].as_str().map(str::to_owned)).into()
        }
        "add_or_replace_parameter" => {
            let separator = kw["separator"].as_str().unwrap_or("&");
            query::set_parameters(&url, &[(args[1].as_str()?, args[2].as_str()?)], separator).into()
        }
        "add_or_replace_parameters" => {
            let new: Vec<(&str, &str)> = args[1]
                .as_object()?
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
                .collect();
            query::set_parameters(&url, &new, kw["separator"].as_str().unwrap_or("&")).into()
        }
        "url_query_cleaner" => cleaned(&url, args, kw),
        "file_uri_to_path" => repair::file_path(&url).into(),
        "add_http_if_no_scheme" => repair::add_http(&url).into(),
        "canonicalize_url" => shown(scrapy::canonical_url(
            &url,
            Canonical {
                keep_blank: kw["keep_blank_values"].as_bool().or(args[1].as_bool()).unwrap_or(true),
                keep_fragment: kw["keep_fragments"].as_bool().or(args[2].as_bool()).unwrap_or(false),
                encoding,
                separator: kw["query_separator"].as_str().unwrap_or("&"),
            },
        )),
        "parse_url" => shown(urlkey::split(&url).map(|parts| {
            let (path, parameters) = parts.path_and_parameters();
            json!([parts.scheme, parts.authority, path, parameters, parts.query, parts.fragment])
        })),
        "parse_data_uri" => {
            let parsed = match &args[0] {
                Value::String(text) => DataUri::parse(text),
                other => DataUri::parse_bytes(&raw(other)?),
            };
            shown(parsed.map(|uri| {
                let parameters: serde_json::Map<String, Value> =
                    uri.parameters.into_iter().map(|(name, value)| (name, value.into())).collect();
                json!([uri.media_type, parameters, marked(&uri.data)])
            }))
        }
        _ => return None,
    })
}

fn cleaned(url: &str, args: &Value, kw: &Value) -> Value {
    let list = if args[1].is_null() { &kw["parameterlist"] } else { &args[1] };
    let names: Vec<&str> = match list {
        Value::String(name) => vec![name],
        list => list.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
    };
    let usual = Cleaning::default();
    let flag = |name: &str, usual: bool| kw[name].as_bool().unwrap_or(usual);
    let cleaning = Cleaning {
        names: &names,
        remove: flag("remove", usual.remove),
        unique: flag("unique", usual.unique),
        keep_fragment: flag("keep_fragments", usual.keep_fragment),
        separator: kw["sep"].as_str().unwrap_or(usual.separator),
        equals: kw["kvsep"].as_str().unwrap_or(usual.equals),
    };
    query::clean(url, cleaning).into()
}

/// Python's names of encodings, which are not all those of the web.
fn encoding(name: &Value) -> &'static Encoding {
    let name = name.as_str().unwrap_or("utf-8");
    let name = match name {
        "iso2022jp" => "iso-2022-jp",
        "latin-1" => "latin1",
        name => name,
    };
    Encoding::for_label(name.as_bytes()).unwrap_or_else(|| panic!("no encoding {name}"))
}

/// A text, bytes in some encoding, or a URL in six parts.
fn text(value: &Value, encoding: &'static Encoding) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let part = |index: usize| parts[index].as_str().unwrap();
            let parameters = if part(3).is_empty() { String::new() } else { format!(";{}", part(3)) };
            let split = urlkey::Split {
                scheme: part(0).to_owned(),
                authority: part(1).into(),
                path: format!("{}{parameters}", part(2)).into(),
                query: part(4).into(),
                fragment: part(5).into(),
            };
            Some(split.join())
        }
        other => Some(repair::decode(&raw(other)?, encoding)),
    }
}

fn raw(value: &Value) -> Option<Vec<u8>> {
    match (value["$bytes"].as_str(), value["$b64"].as_str()) {
        (Some(text), _) => Some(text.as_bytes().to_vec()),
        (None, Some(base64)) => Some(BASE64.decode(base64.as_bytes()).unwrap()),
        _ => None,
    }
}

fn marked(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => json!({ "$bytes": text }),
        _ => json!({ "$b64": BASE64.encode(bytes) }),
    }
}

fn truthy(value: &Value) -> bool {
    value.as_bool().unwrap_or(value.as_u64().is_some_and(|number| number != 0))
}
