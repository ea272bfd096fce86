//! What becomes of one attribute, in HTML and in XML alike.

use std::borrow::Cow;

use extract::html::decode_attribute;

use crate::{Modifier, Place, css, script};

use super::table::{Holds, holds};
use super::{document, relation, srcset};

/// What becomes of an attribute.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It has this value, with the escapes of markup.
    Value(String),
    /// It is left out.
    Gone,
}

/// An element, as far as its attributes explain each other.
pub(crate) trait Element {
    /// The value of another attribute, without its escapes; empty if there is none.
    fn value(&self, name: &str) -> String;
}

/// The document an attribute stands in.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    pub(crate) place: &'a mut Place,
    /// What is put into documents inside of attributes.
    pub(crate) inserted: &'a super::Inserted,
    /// The base was named already.
    pub(crate) has_base: &'a mut bool,
}

/// What becomes of an attribute; nothing if it stays. Names are in lower case, the value is as written.
pub(crate) fn change(
    context: &mut Context<'_>,
    element: &str,
    name: &str,
    raw: &str,
    others: &impl Element,
) -> Option<Change> {
    let held = holds(element, name)?;
    match held {
        Holds::Hindrance => return Some(Change::Gone),
        Holds::Origin => return loses_origin(element, others).then_some(Change::Gone),
        _ if raw.is_empty() => return None,
        _ => {}
    }
    let value = decode_attribute(raw);
    let place = &*context.place;
    let link = |modifier| move |link: &str| place.rewritten(link, modifier);
    let changed = match held {
        Holds::Address(modifier) => place.rewritten(&value, modifier),
        // Only in frames it matters where a link opens.
        Holds::Followed if place.modifier() == Modifier::Page => place.rewritten(&value, Modifier::Page),
        Holds::Followed => place.rewritten(&value, place.followed(Some(&others.value("target")))),
        Holds::Related => {
            place.rewritten(&value, relation::modifier(&others.value("rel"), &others.value("as"), place))
        }
        Holds::Base => base(context, &value),
        Holds::Set => srcset::rewrite(&value, link(Modifier::Image)),
        Holds::List(modifier) => list(&value, link(modifier)),
        Holds::Perhaps => is_address(&value).then(|| place.rewritten(&value, Modifier::Object)).flatten(),
        Holds::Style => css::rewrite_str(&value, place),
        Holds::Handler => handler(&value, place),
        Holds::Document => document(&value, context.inserted, place),
        Holds::Sandbox => sandbox(&value),
        Holds::Hindrance | Holds::Origin => None,
    };
    changed.map(|value| Change::Value(escape(&value).into_owned()))
}

/// The base counts from here on, if it is the first.
fn base(context: &mut Context<'_>, value: &str) -> Option<String> {
    let link = context.place.rewritten(value, context.place.modifier());
    if !*context.has_base {
        *context.has_base = true;
        context.place.set_base(value);
    }
    link
}

fn handler(value: &str, place: &Place) -> Option<String> {
    if !script::may_change(value.as_bytes()) {
        return None;
    }
    Some(script::rewrite_str(value, place)).filter(|rewritten| rewritten != value)
}

/// Takes all leave to navigate the whole window from a frame: it would lead the window out of the archive, past the shim of the page
/// around it.
fn sandbox(value: &str) -> Option<String> {
    const TOP: &str = "allow-top-navigation";
    let is_top = |word: &&str| word.get(..TOP.len()).is_some_and(|start| start.eq_ignore_ascii_case(TOP));
    value
        .split_ascii_whitespace()
        .any(|word| is_top(&word))
        .then(|| value.split_ascii_whitespace().filter(|word| !is_top(word)).collect::<Vec<_>>().join(" "))
}

/// Several addresses with blanks or commas between.
fn list(value: &str, to: impl Fn(&str) -> Option<String>) -> Option<String> {
    let words = value.split_ascii_whitespace().map(|word| to(word).unwrap_or_else(|| word.to_owned()));
    Some(words.collect::<Vec<_>>().join(" ")).filter(|rewritten| rewritten != value)
}

/// Whether a value of anything is the address of something.
fn is_address(value: &str) -> bool {
    let value = value.trim();
    let absolute = ["http://", "https://", "//"]
        .iter()
        .any(|start| value.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)));
    absolute || value.starts_with('/') && value.len() > 1 && !value.contains(char::is_whitespace)
}

/// Everything comes from one origin now. What is loaded ahead keeps the attribute, because it is used only by what has the
/// same.
fn loses_origin(element: &str, others: &impl Element) -> bool {
    match element {
        "script" | "img" | "audio" | "video" => true,
        "link" => {
            others.value("rel").split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case("stylesheet"))
        }
        _ => false,
    }
}

/// Writes a value with the escapes that it needs in HTML and in XML. Quotes are escaped by whoever writes them.
pub(crate) fn escape(value: &str) -> Cow<'_, str> {
    if !value.contains(['&', '<']) {
        return value.into();
    }
    value.replace('&', "&amp;").replace('<', "&lt;").into()
}
