//! JSON bodies made flat: every value under the name next above it, repeated names numbered.
//!
//! `{"a": "b", "c": {"a": 2}}` is `a=b&a.2_=2`.

use std::collections::HashMap;

use serde_json::Value;

use super::Dialect;
use crate::percent::encode_form;

/// The fields of a JSON body, encoded as a query; `None` if it is not JSON.
pub(super) fn flatten(body: &[u8], dialect: Dialect) -> Option<String> {
    let mut fields = Fields { dialect, order: Vec::new(), places: HashMap::new(), repeats: HashMap::new() };
    match serde_json::from_slice::<Value>(body) {
        Ok(value) => fields.add(&value, ""),
        Err(_) if dialect == Dialect::CdxjIndexer && body.contains(&b'\n') => {
            for line in body.split(|byte| *byte == b'\n') {
                fields.add(&serde_json::from_slice(line).ok()?, "");
            }
        }
        Err(_) => return None,
    }
    let encoded: Vec<String> = fields
        .order
        .iter()
        .map(|(name, value)| format!("{}={}", encode_form(name.as_bytes()), encode_form(value.as_bytes())))
        .collect();
    Some(encoded.join("&"))
}

/// Names and values in the order found.
struct Fields {
    dialect: Dialect,
    order: Vec<(String, String)>,
    places: HashMap<String, usize>,
    repeats: HashMap<String, usize>,
}

impl Fields {
    /// Goes as deep as the parser did, which has a limit of its own.
    fn add(&mut self, value: &Value, name: &str) {
        match value {
            Value::Object(members) => members.iter().for_each(|(name, value)| self.add(value, name)),
            Value::Array(items) => items.iter().for_each(|item| self.add(item, name)),
            _ if name.is_empty() => {}
            scalar => {
                let text = self.text(scalar);
                let name = self.unused(name);
                self.set(name, text);
            }
        }
    }

    fn unused(&mut self, name: &str) -> String {
        if !self.places.contains_key(name) {
            return name.to_owned();
        }
        let count = self.repeats.entry(name.to_owned()).or_insert(1);
        *count += 1;
        format!("{name}.{count}_")
    }

    /// A name that was made up may have been there already; then the new value takes its place.
    fn set(&mut self, name: String, value: String) {
        match self.places.get(&name).and_then(|place| self.order.get_mut(*place)) {
            Some((_, old)) => *old = value,
            None => {
                self.places.insert(name.clone(), self.order.len());
                self.order.push((name, value));
            }
        }
    }

    fn text(&self, value: &Value) -> String {
        let like_python = self.dialect != Dialect::Pywb;
        match value {
            Value::Bool(true) if like_python => "True".to_owned(),
            Value::Bool(false) if like_python => "False".to_owned(),
            Value::Null if like_python => "None".to_owned(),
            Value::String(text) => text.clone(),
            Value::Number(number) if number.is_f64() => {
                float(number.as_f64().unwrap_or_default(), like_python)
            }
            other => other.to_string(),
        }
    }
}

/// A float as Python prints it; a whole one without its point if the dialect is JavaScript's.
fn float(value: f64, keep_point: bool) -> String {
    if !keep_point && value.fract() == 0.0 {
        return format!("{value:.0}");
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..16).contains(&exponent) {
        return format!("{value:?}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_printed_as_python_prints_them() {
        for (value, text) in
            [(44.0, "44.0"), (0.1, "0.1"), (1e16, "1e+16"), (1.5e-7, "1.5e-07"), (0.0001, "0.0001")]
        {
            assert_eq!(float(value, true), text);
        }
        assert_eq!(float(44.0, false), "44");
    }
}
