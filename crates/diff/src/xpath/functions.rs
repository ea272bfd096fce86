//! The functions that expressions may call.

use std::ops::RangeInclusive;

use super::evaluate::{Asked, Fault, Run};
use super::patterns;
use super::syntax::Type;
use super::value::{Item, truth};

pub(super) type Arguments<'a> = &'a [Vec<Item>];
type Value = Result<Vec<Item>, Fault>;

/// A function: its name, how many arguments it takes, whether it reads their texts, what it does.
pub(super) struct Known {
    name: &'static str,
    pub(super) reads: bool,
    pub(super) arguments: RangeInclusive<usize>,
    pub(super) call: fn(&mut Run<'_>, Arguments<'_>, &Asked) -> Value,
}

impl std::fmt::Debug for Known {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

impl PartialEq for Known {
    fn eq(&self, other: &Known) -> bool {
        self.name == other.name
    }
}

pub(super) fn find(name: &str) -> Option<&'static Known> {
    let name = name.strip_prefix("fn:").unwrap_or(name);
    FUNCTIONS.iter().find(|known| known.name == name)
}

const MANY: usize = 64;

macro_rules! function {
    ($name:literal, $arguments:expr, $call:expr) => {
        Known { name: $name, reads: true, arguments: $arguments, call: $call }
    };
    (free $name:literal, $arguments:expr, $call:expr) => {
        Known { name: $name, reads: false, arguments: $arguments, call: $call }
    };
}

static FUNCTIONS: &[Known] = &[
    function!(free "last", 0..=0, |_, _, asked| number(asked.size as f64)),
    function!(free "position", 0..=0, |_, _, asked| number(asked.position as f64)),
    function!(free "count", 1..=1, |_, values, _| number(first(values).len() as f64)),
    function!(free "true", 0..=0, |_, _, _| boolean(true)),
    function!(free "false", 0..=0, |_, _, _| boolean(false)),
    function!(free "not", 1..=1, |_, values, _| boolean(!truth(first(values)))),
    function!(free "boolean", 1..=1, |_, values, _| boolean(truth(first(values)))),
    function!(free "exists", 1..=1, |_, values, _| boolean(!first(values).is_empty())),
    function!(free "empty", 1..=1, |_, values, _| boolean(first(values).is_empty())),
    function!(free "name", 0..=1, |run, values, asked| name(run, values, asked, false)),
    function!(free "local-name", 0..=1, |run, values, asked| name(run, values, asked, true)),
    function!("string", 0..=1, |run, values, asked| text(own(run, values, asked))),
    function!("data", 1..=1, |run, values, _| {
        Ok(first(values).iter().map(|item| Item::Text(item.text(run.page))).collect())
    }),
    function!("number", 0..=1, |run, values, asked| {
        let item = if values.is_empty() { Some(&asked.item) } else { first(values).first() };
        number(item.map_or(f64::NAN, |item| item.number(run.page)))
    }),
    function!("concat", 2..=MANY, |run, values, _| {
        text((0..values.len()).map(|at| argument(run, values, at)).collect())
    }),
    function!("string-join", 1..=2, |run, values, _| {
        let texts: Vec<String> = first(values).iter().map(|item| item.text(run.page)).collect();
        text(texts.join(&argument(run, values, 1)))
    }),
    function!("starts-with", 2..=2, |run, values, _| {
        boolean(argument(run, values, 0).starts_with(&argument(run, values, 1)))
    }),
    function!("ends-with", 2..=2, |run, values, _| {
        boolean(argument(run, values, 0).ends_with(&argument(run, values, 1)))
    }),
    function!("contains", 2..=2, |run, values, _| {
        boolean(argument(run, values, 0).contains(&argument(run, values, 1)))
    }),
    function!("substring-before", 2..=2, |run, values, _| {
        let (whole, part) = (argument(run, values, 0), argument(run, values, 1));
        text(whole.split_once(&part).map(|(before, _)| before.to_owned()).unwrap_or_default())
    }),
    function!("substring-after", 2..=2, |run, values, _| {
        let (whole, part) = (argument(run, values, 0), argument(run, values, 1));
        text(whole.split_once(&part).map(|(_, after)| after.to_owned()).unwrap_or_default())
    }),
    function!("substring", 2..=3, substring),
    function!("string-length", 0..=1, |run, values, asked| {
        number(own(run, values, asked).chars().count() as f64)
    }),
    function!("normalize-space", 0..=1, |run, values, asked| {
        text(own(run, values, asked).split_whitespace().collect::<Vec<_>>().join(" "))
    }),
    function!("lower-case", 1..=1, |run, values, _| text(argument(run, values, 0).to_lowercase())),
    function!("upper-case", 1..=1, |run, values, _| text(argument(run, values, 0).to_uppercase())),
    function!("translate", 3..=3, |run, values, _| {
        let (from, to) = (argument(run, values, 1), argument(run, values, 2));
        let (from, to): (Vec<char>, Vec<char>) = (from.chars().take(1000).collect(), to.chars().collect());
        let change = |char: char| match from.iter().position(|known| *known == char) {
            Some(at) => to.get(at).copied(),
            None => Some(char),
        };
        text(argument(run, values, 0).chars().filter_map(change).collect())
    }),
    function!("matches", 2..=3, |run, values, _| boolean(patterns::matches(run, values)?)),
    function!("replace", 3..=4, |run, values, _| text(patterns::replace(run, values)?)),
    function!("tokenize", 1..=2, |run, values, _| patterns::tokenize(run, values)),
    function!("sum", 1..=2, |run, values, _| {
        number(first(values).iter().map(|item| item.number(run.page)).sum())
    }),
    function!("avg", 1..=1, |run, values, _| {
        let items = first(values);
        let sum: f64 = items.iter().map(|item| item.number(run.page)).sum();
        if items.is_empty() { Ok(Vec::new()) } else { number(sum / items.len() as f64) }
    }),
    function!("max", 1..=1, |run, values, _| extreme(run, values, f64::max)),
    function!("min", 1..=1, |run, values, _| extreme(run, values, f64::min)),
    function!("abs", 1..=1, |run, values, _| rounded(run, values, f64::abs)),
    function!("floor", 1..=1, |run, values, _| rounded(run, values, f64::floor)),
    function!("ceiling", 1..=1, |run, values, _| rounded(run, values, f64::ceil)),
    // Halves go up, as in 1.0.
    function!("round", 1..=1, |run, values, _| rounded(run, values, |number| (number + 0.5).floor())),
    function!("distinct-values", 1..=1, |run, values, _| {
        let mut seen = std::collections::HashSet::new();
        let texts = first(values).iter().map(|item| item.text(run.page));
        Ok(texts.filter(|text| seen.insert(text.clone())).map(Item::Text).collect())
    }),
    function!(free "reverse", 1..=1, |_, values, _| Ok(first(values).iter().rev().cloned().collect())),
    function!("date", 1..=1, |run, values, _| cast(run, values, Type::Date)),
    function!("xs:date", 1..=1, |run, values, _| cast(run, values, Type::Date)),
    function!("xs:integer", 1..=1, |run, values, _| cast(run, values, Type::Integer)),
    function!("xs:double", 1..=1, |run, values, _| cast(run, values, Type::Number)),
    function!("xs:decimal", 1..=1, |run, values, _| cast(run, values, Type::Number)),
    function!("xs:string", 1..=1, |run, values, _| cast(run, values, Type::Text)),
    function!("xs:boolean", 1..=1, |run, values, _| cast(run, values, Type::Boolean)),
];

fn number(number: f64) -> Value {
    Ok(vec![Item::Number(number)])
}

fn boolean(truth: bool) -> Value {
    Ok(vec![Item::Boolean(truth)])
}

fn text(text: String) -> Value {
    Ok(vec![Item::Text(text)])
}

fn first<'a>(values: Arguments<'a>) -> &'a [Item] {
    values.first().map(Vec::as_slice).unwrap_or_default()
}

/// The text of an argument: of its first item, as 1.0 has it.
pub(super) fn argument(run: &Run<'_>, values: Arguments<'_>, at: usize) -> String {
    values.get(at).and_then(|value| value.first()).map(|item| item.text(run.page)).unwrap_or_default()
}

/// The text of the argument, or of what is asked about if there is none.
fn own(run: &Run<'_>, values: Arguments<'_>, asked: &Asked) -> String {
    if values.is_empty() { asked.item.text(run.page) } else { argument(run, values, 0) }
}

fn name(run: &Run<'_>, values: Arguments<'_>, asked: &Asked, is_local: bool) -> Value {
    let item = if values.is_empty() { Some(&asked.item) } else { first(values).first() };
    let name = item.and_then(Item::place).map(|place| place.name(run.page)).unwrap_or_default();
    text(if is_local { name.rsplit(':').next().unwrap_or(name) } else { name }.to_owned())
}

fn substring(run: &mut Run<'_>, values: Arguments<'_>, _: &Asked) -> Value {
    let part = |at: usize| values.get(at).and_then(|value| value.first()).map(|item| item.number(run.page));
    let start = part(1).unwrap_or(f64::NAN).round();
    let end = part(2).map_or(f64::INFINITY, |length| start + length.round());
    let whole = argument(run, values, 0);
    let chars = whole.chars().enumerate();
    let inside = chars.filter(|(at, _)| (*at + 1) as f64 >= start && ((*at + 1) as f64) < end);
    text(inside.map(|(_, char)| char).collect())
}

fn rounded(run: &Run<'_>, values: Arguments<'_>, round: fn(f64) -> f64) -> Value {
    Ok(first(values).first().map(|item| Item::Number(round(item.number(run.page)))).into_iter().collect())
}

fn extreme(run: &Run<'_>, values: Arguments<'_>, choose: fn(f64, f64) -> f64) -> Value {
    let numbers = first(values).iter().map(|item| item.number(run.page));
    Ok(numbers.reduce(choose).map(Item::Number).into_iter().collect())
}

fn cast(run: &Run<'_>, values: Arguments<'_>, kind: Type) -> Value {
    first(values).first().map(|item| run.cast(item, kind)).into_iter().collect()
}
