//! What an expression means.

use std::cmp::Ordering;

use super::patterns::Patterns;
use super::syntax::{Comparison, Expression, Operator, Step, Type};
use super::value::{Item, Place, number, truth};
use crate::Limits;
use crate::page::{NodeId, Page};

/// Why there is no value.
pub(super) enum Fault {
    TooSlow,
    Wrong(String),
}

type Value = Result<Vec<Item>, Fault>;

/// What a predicate or step is asked about.
pub(super) struct Asked {
    pub(super) item: Item,
    pub(super) position: usize,
    pub(super) size: usize,
}

pub(super) fn run(expression: &Expression, page: &Page, from: NodeId, limits: &Limits) -> Value {
    let patterns = Patterns::new(limits.regex_steps_max);
    let mut run = Run { page, variables: Vec::new(), left: limits.xpath_steps_max, limits, patterns };
    let asked = Asked { item: Item::Place(Place::of(from)), position: 1, size: 1 };
    run.ask(expression, &asked)
}

pub(super) struct Run<'a> {
    pub(super) page: &'a Page,
    variables: Vec<(String, Vec<Item>)>,
    left: u64,
    pub(super) limits: &'a Limits,
    pub(super) patterns: Patterns,
}

impl Run<'_> {
    /// Counts one step.
    pub(super) fn step(&mut self) -> Result<(), Fault> {
        self.steps(1)
    }

    pub(super) fn steps(&mut self, count: usize) -> Result<(), Fault> {
        self.left = self.left.checked_sub(count as u64).ok_or(Fault::TooSlow)?;
        Ok(())
    }

    /// Counts what it takes to make the texts of items.
    fn charge<'i>(&mut self, items: impl Iterator<Item = &'i Item>) -> Result<(), Fault> {
        for item in items {
            let bytes = item.place().map_or(0, |place| self.page.text_bytes(place.node));
            self.steps(bytes / 16 + 1)?;
        }
        Ok(())
    }

    pub(super) fn ask(&mut self, expression: &Expression, asked: &Asked) -> Value {
        self.step()?;
        match expression {
            Expression::Text(text) => Ok(vec![Item::Text(text.clone())]),
            Expression::Number(number) => Ok(vec![Item::Number(*number)]),
            Expression::Here => Ok(vec![asked.item.clone()]),
            Expression::Root => Ok(vec![Item::Place(Place::of(NodeId::DOCUMENT))]),
            Expression::Variable(name) => self.variable(name),
            Expression::Sequence(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.ask(part, asked)?);
                }
                Ok(all)
            }
            Expression::Binary(operator, left, right) => self.binary(*operator, left, right, asked),
            Expression::Negative(inner) => {
                let value = self.ask(inner, asked)?;
                Ok(value.first().map(|item| Item::Number(-item.number(self.page))).into_iter().collect())
            }
            Expression::If(test, then, otherwise) => {
                let holds = truth(&self.ask(test, asked)?);
                self.ask(if holds { then } else { otherwise }, asked)
            }
            Expression::For(name, from, rest) => {
                let mut all = Vec::new();
                for item in self.ask(from, asked)? {
                    all.extend(self.with(name, vec![item], rest, asked)?);
                }
                Ok(all)
            }
            Expression::Let(name, from, rest) => {
                let value = self.ask(from, asked)?;
                self.with(name, value, rest, asked)
            }
            Expression::Quantified { every, name, from, test } => {
                self.quantified(*every, name, from, test, asked)
            }
            Expression::InstanceOf(inner, kind) => {
                let value = self.ask(inner, asked)?;
                Ok(vec![Item::Boolean(matches!(value.as_slice(), [item] if is_of(item, *kind)))])
            }
            Expression::CastAs(inner, kind) => {
                let value = self.ask(inner, asked)?;
                value.first().map(|item| self.cast(item, *kind)).into_iter().collect()
            }
            Expression::Call(function, arguments) => {
                let values: Result<Vec<_>, _> =
                    arguments.iter().map(|argument| self.ask(argument, asked)).collect();
                let values = values?;
                self.steps(values.iter().map(Vec::len).sum())?;
                if function.reads {
                    let implied = values.is_empty().then_some(&asked.item);
                    self.charge(values.iter().flatten().chain(implied))?;
                }
                (function.call)(self, &values, asked)
            }
            Expression::Path(start, steps) => self.path(start, steps, asked),
            Expression::Filter(inner, predicates) => {
                let mut items = self.ask(inner, asked)?;
                for predicate in predicates {
                    items = self.filter(items, predicate)?;
                }
                Ok(items)
            }
        }
    }

    fn quantified(
        &mut self,
        every: bool,
        name: &str,
        from: &Expression,
        test: &Expression,
        asked: &Asked,
    ) -> Value {
        for item in self.ask(from, asked)? {
            if truth(&self.with(name, vec![item], test, asked)?) != every {
                return Ok(vec![Item::Boolean(!every)]);
            }
        }
        Ok(vec![Item::Boolean(every)])
    }

    fn variable(&mut self, name: &str) -> Value {
        let value =
            self.variables.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let value = value.ok_or_else(|| Fault::Wrong(format!("there is no variable ${name}")))?;
        self.steps(value.len())?;
        Ok(value)
    }

    fn with(&mut self, name: &str, value: Vec<Item>, rest: &Expression, asked: &Asked) -> Value {
        self.variables.push((name.to_owned(), value));
        let found = self.ask(rest, asked);
        self.variables.pop();
        found
    }

    fn path(&mut self, start: &Expression, steps: &[Step], asked: &Asked) -> Value {
        let mut items = self.ask(start, asked)?;
        for step in steps {
            let mut next = Vec::new();
            let size = items.len();
            for (index, item) in items.into_iter().enumerate() {
                match step {
                    Step::Axis(axis, test, predicates) => {
                        let Some(place) = item.place() else {
                            return Err(Fault::Wrong(
                                "a step leads from something that is no node".to_owned(),
                            ));
                        };
                        let places = self.axis(place, *axis, test, predicates)?;
                        next.extend(places.into_iter().map(Item::Place));
                    }
                    Step::Each(expression) => {
                        next.extend(self.ask(expression, &Asked { item, position: index + 1, size })?);
                    }
                }
            }
            items = in_order(next);
        }
        Ok(items)
    }

    fn binary(&mut self, operator: Operator, left: &Expression, right: &Expression, asked: &Asked) -> Value {
        let left = self.ask(left, asked)?;
        match operator {
            Operator::Or if truth(&left) => return Ok(vec![Item::Boolean(true)]),
            Operator::And if !truth(&left) => return Ok(vec![Item::Boolean(false)]),
            _ => {}
        }
        let right = self.ask(right, asked)?;
        self.steps(left.len() + right.len())?;
        if !matches!(
            operator,
            Operator::Or | Operator::And | Operator::Union | Operator::Intersect | Operator::Except
        ) {
            self.charge(left.iter().take(1).chain(right.iter().take(1)))?;
        }
        let boolean = |truth: bool| Ok(vec![Item::Boolean(truth)]);
        match operator {
            Operator::Or | Operator::And => boolean(truth(&right)),
            Operator::Compare(comparison) => boolean(self.any(comparison, &left, &right)?),
            Operator::CompareValues(comparison) => match (left.as_slice(), right.as_slice()) {
                ([left], [right]) => boolean(self.holds(comparison, left, right)),
                ([], _) | (_, []) => Ok(Vec::new()),
                _ => Err(Fault::Wrong("only one value can be compared with one".to_owned())),
            },
            Operator::Is | Operator::Before | Operator::After => {
                let (Some(left), Some(right)) =
                    (left.first().and_then(Item::place), right.first().and_then(Item::place))
                else {
                    return Ok(Vec::new());
                };
                boolean(match operator {
                    Operator::Is => left == right,
                    Operator::Before => left < right,
                    _ => left > right,
                })
            }
            Operator::Concat => {
                let text =
                    |items: &[Item]| items.first().map(|item| item.text(self.page)).unwrap_or_default();
                Ok(vec![Item::Text(text(&left) + &text(&right))])
            }
            Operator::To => self.range(&left, &right),
            Operator::Union | Operator::Intersect | Operator::Except => Ok(sets(operator, left, right)),
            _ => {
                let (Some(left), Some(right)) = (left.first(), right.first()) else { return Ok(Vec::new()) };
                let (left, right) = (left.number(self.page), right.number(self.page));
                Ok(vec![Item::Number(arithmetic(operator, left, right))])
            }
        }
    }

    fn range(&mut self, left: &[Item], right: &[Item]) -> Value {
        let (Some(left), Some(right)) = (left.first(), right.first()) else { return Ok(Vec::new()) };
        let (left, right) = (left.number(self.page), right.number(self.page));
        // Beyond this doubles are no whole numbers any more.
        if !(left.abs() < 9e15 && right.abs() < 9e15) || left > right {
            return Ok(Vec::new());
        }
        self.steps((right - left) as usize)?;
        Ok((left as i64..=right as i64).map(|number| Item::Number(number as f64)).collect())
    }

    /// Whether it holds of any of the one with any of the other.
    fn any(&mut self, comparison: Comparison, left: &[Item], right: &[Item]) -> Result<bool, Fault> {
        // Each text is made once, and not for each pair.
        let plain = |items: &[Item], page: &Page| -> Vec<Item> {
            items
                .iter()
                .map(|item| item.place().map_or_else(|| item.clone(), |_| Item::Text(item.text(page))))
                .collect()
        };
        self.charge(left.iter().chain(right))?;
        let (left, right) = (plain(left, self.page), plain(right, self.page));
        for left in &left {
            self.steps(right.len())?;
            if right.iter().any(|right| self.holds(comparison, left, right)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn holds(&self, comparison: Comparison, left: &Item, right: &Item) -> bool {
        use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Unequal};
        if let (Item::Boolean(_), _) | (_, Item::Boolean(_)) = (left, right) {
            let (left, right) = (truth(std::slice::from_ref(left)), truth(std::slice::from_ref(right)));
            return matches!(comparison, Equal) == (left == right);
        }
        let is_number = matches!(left, Item::Number(_)) || matches!(right, Item::Number(_));
        let is_order = !matches!(comparison, Equal | Unequal);
        let numbers = (left.number(self.page), right.number(self.page));
        let both_numbers = !numbers.0.is_nan() && !numbers.1.is_nan();
        let order = if is_number || (is_order && both_numbers) {
            numbers.0.partial_cmp(&numbers.1)
        } else {
            Some(left.text(self.page).cmp(&right.text(self.page)))
        };
        match comparison {
            Equal => order == Some(Ordering::Equal),
            Unequal => order != Some(Ordering::Equal),
            Less => order == Some(Ordering::Less),
            LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Greater => order == Some(Ordering::Greater),
            GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }

    pub(super) fn cast(&self, item: &Item, kind: Type) -> Result<Item, Fault> {
        let text = item.text(self.page);
        let wrong =
            || Fault::Wrong(format!("`{}` cannot be cast", text.chars().take(40).collect::<String>()));
        Ok(match kind {
            Type::Text | Type::Any => Item::Text(text),
            Type::Integer | Type::Number => {
                let value = if let Item::Number(value) = item { *value } else { number(&text) };
                if value.is_nan() {
                    return Err(wrong());
                }
                Item::Number(if kind == Type::Integer { value.trunc() } else { value })
            }
            Type::Boolean => match text.trim() {
                "true" | "1" => Item::Boolean(true),
                "false" | "0" => Item::Boolean(false),
                _ => return Err(wrong()),
            },
            Type::Date => {
                let date = text.trim();
                let is_date = date.len() == 10
                    && date.bytes().enumerate().all(|(at, byte)| match at {
                        4 | 7 => byte == b'-',
                        _ => byte.is_ascii_digit(),
                    });
                if !is_date {
                    return Err(wrong());
                }
                Item::Date(date.to_owned())
            }
        })
    }
}

fn is_of(item: &Item, kind: Type) -> bool {
    match (item, kind) {
        (Item::Place(_), _) => false,
        (_, Type::Any) | (Item::Text(_), Type::Text) | (Item::Boolean(_), Type::Boolean) => true,
        (Item::Date(_), Type::Date) | (Item::Number(_), Type::Number) => true,
        (Item::Number(number), Type::Integer) => number.fract() == 0.0,
        _ => false,
    }
}

fn arithmetic(operator: Operator, left: f64, right: f64) -> f64 {
    match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
        Operator::DivideWhole => (left / right).trunc(),
        _ => left % right,
    }
}

/// Nodes in the order of the page, each once; a sequence with anything else stays as it is.
fn in_order(items: Vec<Item>) -> Vec<Item> {
    let places: Option<Vec<Place>> = items.iter().map(Item::place).collect();
    let Some(mut places) = places else { return items };
    places.sort_unstable();
    places.dedup();
    places.into_iter().map(Item::Place).collect()
}

fn sets(operator: Operator, left: Vec<Item>, right: Vec<Item>) -> Vec<Item> {
    let mut other: Vec<Place> = right.iter().filter_map(Item::place).collect();
    other.sort_unstable();
    let is_in = |item: &Item| item.place().is_some_and(|place| other.binary_search(&place).is_ok());
    in_order(match operator {
        Operator::Union => left.into_iter().chain(right).collect(),
        Operator::Intersect => left.into_iter().filter(is_in).collect(),
        _ => left.into_iter().filter(|item| !is_in(item)).collect(),
    })
}
