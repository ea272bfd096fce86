//! JSON that keeps keys which are there twice: an inventory that has them is told, not silently halved.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
    /// Null, truth, number: nothing that an inventory has.
    Other,
}

impl Json {
    pub(super) fn parse(bytes: &[u8]) -> Result<Json, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn object(&self) -> Option<&[(String, Json)]> {
        match self {
            Json::Object(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// The texts of a list; `None` where it is no list or has something else in it.
    pub(super) fn texts(&self) -> Option<Vec<&str>> {
        match self {
            Json::List(items) => items.iter().map(Json::text).collect(),
            _ => None,
        }
    }

    /// What stands under a key of an object, the first time.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        self.object()?.iter().find(|(other, _)| other == key).map(|(_, value)| value)
    }

    /// A key that is there twice.
    pub(super) fn repeated(&self) -> Option<&str> {
        let mut keys: Vec<&str> = self.object()?.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        keys.windows(2).find_map(|pair| match pair {
            [one, other] if one == other => Some(*one),
            _ => None,
        })
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(AnyJson)
    }
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Json, E> {
        Ok(Json::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut source: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = source.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut source: A) -> Result<Json, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = source.next_entry()? {
            pairs.push(pair);
        }
        Ok(Json::Object(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_are_there_twice_are_kept() {
        let json = Json::parse(br#"{"a":["x"],"b":{},"a":[1,null,true,1.5,-1]}"#).unwrap();
        assert_eq!(json.object().unwrap().len(), 3);
        assert_eq!(json.repeated(), Some("a"));
        assert_eq!(json.get("a").unwrap().texts(), Some(vec!["x"]));
        assert_eq!(json.object().unwrap()[2].1.texts(), None);
        assert!(Json::parse(b"{} {}").is_err());
        assert!(Json::parse("[".repeat(1000).as_bytes()).is_err());
    }
}
