//! The `Link` header: addresses in angle brackets, each with parameters.

use crate::Place;
use crate::html::relation;

/// Rewrites every address that is followed by parameters, by what its relation asks for.
pub(super) fn rewrite(place: &Place, value: &str) -> String {
    let mut rewritten = String::with_capacity(value.len() + 64);
    let mut rest = value;
    while let Some((before, behind)) = rest.split_once('<') {
        rewritten.push_str(before);
        rewritten.push('<');
        let Some((address, parameters)) = behind.split_once('>') else {
            rest = behind;
            break;
        };
        let end = end(parameters);
        let (own, others) = parameters.split_at_checked(end).unwrap_or((parameters, ""));
        // Browsers follow nothing that is written otherwise.
        let is_link = own.trim_start().is_empty() || own.trim_start().starts_with(';');
        let parameter = |name: &str| parameter(own, name);
        let modifier = relation::modifier(parameter("rel"), parameter("as"), place);
        let link = is_link.then(|| place.rewritten(address, modifier)).flatten();
        rewritten.push_str(link.as_deref().unwrap_or(address));
        rewritten.push('>');
        rewritten.push_str(own);
        rest = others;
    }
    rewritten.push_str(rest);
    rewritten
}

/// Where the parameters of one link end: at a comma outside of quotes.
fn end(parameters: &str) -> usize {
    let mut quoted = false;
    parameters
        .find(|character| {
            quoted ^= character == '"';
            character == ',' && !quoted
        })
        .unwrap_or(parameters.len())
}

/// The value of a parameter, without quotes.
fn parameter<'a>(parameters: &'a str, name: &str) -> &'a str {
    parameters
        .split(';')
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(key, _)| key.trim().eq_ignore_ascii_case(name))
        .map_or("", |(_, value)| value.trim().trim_matches('"'))
}
