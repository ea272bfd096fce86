//! Reads paths: steps, predicates, and what a path may begin with.

use super::functions;
use super::parse::Parser;
use super::syntax::{Axis, Expression, Step, Test};
use super::words::{Fault, Kind};

impl Parser<'_> {
    pub(super) fn path(&mut self) -> Result<Expression, Fault> {
        let mut steps = Vec::new();
        let start = if self.take_sign("//") {
            steps.push(anything_below());
            steps.push(self.step()?);
            Expression::Root
        } else if self.take_sign("/") {
            if !self.begins_step() {
                return Ok(Expression::Root);
            }
            steps.push(self.step()?);
            Expression::Root
        } else {
            match self.step()? {
                // An expression that stands alone is no step.
                Step::Each(expression) => *expression,
                step => {
                    steps.push(step);
                    Expression::Here
                }
            }
        };
        loop {
            if self.take_sign("//") {
                steps.push(anything_below());
            } else if !self.take_sign("/") {
                break;
            }
            steps.push(self.step()?);
        }
        Ok(if steps.is_empty() { start } else { Expression::Path(Box::new(start), steps) })
    }

    fn begins_step(&self) -> bool {
        match self.peek() {
            Kind::Name(_) => true,
            Kind::Sign(sign) => matches!(*sign, "@" | "." | ".." | "*" | "("),
            _ => false,
        }
    }

    fn step(&mut self) -> Result<Step, Fault> {
        if self.take_sign("..") {
            return Ok(Step::Axis(Axis::Parent, Test::Node, self.predicates()?));
        }
        if self.take_sign("@") {
            let test = self.test()?;
            return Ok(Step::Axis(Axis::Attribute, test, self.predicates()?));
        }
        if let (Kind::Name(name), Kind::Sign("::")) = (self.peek(), self.peek_second()) {
            let axis = Axis::ALL.iter().find(|(known, _)| known == name);
            let Some((_, axis)) = axis else { return Err(self.fault("there is no such axis")) };
            self.advance();
            self.advance();
            let test = self.test()?;
            return Ok(Step::Axis(*axis, test, self.predicates()?));
        }
        let is_call = matches!(self.peek_second(), Kind::Sign("("));
        let is_kind_test = matches!(self.peek(), Kind::Name(name) if is_call && is_kind(name));
        if matches!(self.peek(), Kind::Name(_)) && (!is_call || is_kind_test) || self.is_sign("*") {
            let test = self.test()?;
            return Ok(Step::Axis(Axis::Child, test, self.predicates()?));
        }
        let primary = self.primary()?;
        let predicates = self.predicates()?;
        Ok(Step::Each(Box::new(if predicates.is_empty() {
            primary
        } else {
            Expression::Filter(Box::new(primary), predicates)
        })))
    }

    fn predicates(&mut self) -> Result<Vec<Expression>, Fault> {
        let mut predicates = Vec::new();
        while self.take_sign("[") {
            predicates.push(self.expression()?);
            self.expect("]")?;
        }
        Ok(predicates)
    }

    fn test(&mut self) -> Result<Test, Fault> {
        if self.take_sign("*") {
            return Ok(Test::AnyName);
        }
        let name = self.name()?;
        if is_kind(&name) && self.take_sign("(") {
            self.expect(")")?;
            return Ok(match name.as_str() {
                "node" => Test::Node,
                "text" => Test::Text,
                "element" | "attribute" => Test::AnyName,
                _ => Test::Nothing,
            });
        }
        Ok(if let Some(prefix) = name.strip_suffix(":*") {
            Test::Prefix(prefix.to_owned())
        } else if let Some(local) = name.strip_prefix("*:") {
            Test::Local(local.to_owned())
        } else {
            Test::Name(name)
        })
    }

    fn primary(&mut self) -> Result<Expression, Fault> {
        let expression = match self.peek() {
            Kind::Text(text) => Expression::Text(text.clone()),
            Kind::Number(number) => Expression::Number(*number),
            Kind::Sign(".") => Expression::Here,
            Kind::Sign("$") => {
                self.advance();
                return Ok(Expression::Variable(self.name()?));
            }
            Kind::Sign("(") => {
                self.advance();
                if self.take_sign(")") {
                    return Ok(Expression::Sequence(Vec::new()));
                }
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(inner);
            }
            Kind::Name(_) => return self.call(),
            Kind::End => return Err(self.fault("something is missing at the end")),
            Kind::Sign(sign) => return Err(self.fault(&format!("`{sign}` is not expected here"))),
        };
        self.advance();
        Ok(expression)
    }

    fn call(&mut self) -> Result<Expression, Fault> {
        let unknown = self.fault("there is no such function");
        let wrong = self.fault("this function takes another number of arguments");
        let name = self.name()?;
        let function = functions::find(&name).ok_or(unknown)?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        if !self.take_sign(")") {
            arguments.push(self.single()?);
            while self.take_sign(",") {
                arguments.push(self.single()?);
            }
            self.expect(")")?;
        }
        if !function.arguments.contains(&arguments.len()) {
            return Err(wrong);
        }
        Ok(Expression::Call(function, arguments))
    }
}

/// `//` stands for this.
fn anything_below() -> Step {
    Step::Axis(Axis::DescendantOrSelf, Test::Node, Vec::new())
}

fn is_kind(name: &str) -> bool {
    matches!(name, "node" | "text" | "comment" | "element" | "attribute" | "processing-instruction")
}
