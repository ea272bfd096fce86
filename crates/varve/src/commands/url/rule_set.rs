//! The rule sets by name, each with where it comes from.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urlkey::Rules;

/// Understands the name of a rule set.
pub(super) fn parser() -> impl TypedValueParser<Value = Rules> {
    let value = |rules: Rules| PossibleValue::new(rules.name()).help(origin(rules));
    PossibleValuesParser::new(Rules::ALL.map(value)).try_map(|name| name.parse::<Rules>())
}

/// Whose rules they are.
fn origin(rules: Rules) -> &'static str {
    match rules {
        Rules::Wayback => "Internet Archive's Python surt, pywb, cdxj-indexer",
        Rules::Google => "webarchive-commons, BasicURLCanonicalizer: Google's safe browsing",
        Rules::IaOrdinary => "webarchive-commons, OrdinaryIAURLCanonicalizer",
        Rules::IaAggressive => "webarchive-commons, AggressiveIAURLCanonicalizer",
        Rules::OutbackCdx => "OutbackCDX",
        Rules::OpenWayback => "OpenWayback, AggressiveUrlCanonicalizer; keys in reading order",
        Rules::Jwarc => "jwarc",
        Rules::UrlcanonWhatwg => "urlcanon.whatwg: the URL standard, for any bytes",
        Rules::UrlcanonGoogle => "urlcanon.google",
        Rules::UrlcanonSemanticPrecise => "urlcanon.semantic_precise: fragments count",
        Rules::UrlcanonSemantic => "urlcanon.semantic: what would load the same",
        Rules::UrlcanonAggressive => "urlcanon.aggressive: what would look the same",
        Rules::Scrapy => "Scrapy, w3lib's canonicalize_url",
        Rules::Whatwg => "the URL standard, as browsers write URLs",
        _ => "",
    }
}
