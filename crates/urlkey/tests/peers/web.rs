//! The web platform's own tests.

use encoding_rs::Encoding;
use serde_json::{Map, Value, json};

pub(crate) fn parse(_: &str, input: &Value, case: &Value) -> Option<Value> {
    let Ok(url) = urlkey::parse_whatwg(input["input"].as_str()?, input["base"].as_str()) else {
        return Some(json!({ "$error": "failure" }));
    };
    let parameters =
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(url.query_pairs()).finish();
    let mut ours = Map::new();
    for (name, value) in [
        ("href", url.as_str()),
        ("origin", &urlkey::origin(&url)),
        ("protocol", url::quirks::protocol(&url)),
        ("username", url::quirks::username(&url)),
        ("password", url::quirks::password(&url)),
        ("host", url::quirks::host(&url)),
        ("hostname", url::quirks::hostname(&url)),
        ("port", url::quirks::port(&url)),
        ("pathname", url::quirks::pathname(&url)),
        ("search", url::quirks::search(&url)),
        ("searchParams", &parameters),
        ("hash", url::quirks::hash(&url)),
    ] {
        // Not every case says everything.
        if case["expect"].get(name).is_some() {
            ours.insert(name.into(), value.into());
        }
    }
    Some(Value::Object(ours))
}

pub(crate) fn to_ascii(_: &str, input: &Value, _: &Value) -> Option<Value> {
    Some(urlkey::to_ascii(input.as_str()?).ok().into())
}

pub(crate) fn encode(_: &str, input: &Value, case: &Value) -> Option<Value> {
    let text = input.as_str()?;
    let answers = case["expect"].as_object()?.keys().map(|label| {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        (label.clone(), Value::from(urlkey::encode_query(text, encoding)))
    });
    Some(Value::Object(answers.collect()))
}
