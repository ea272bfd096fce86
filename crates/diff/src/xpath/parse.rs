//! Reads expressions: what is loosest first.

use super::syntax::{Comparison, Expression, Operator, Type};
use super::words::{Fault, Kind, Word, words};

/// How deep expressions may be nested.
const DEPTH_MAX: usize = 48;

pub(super) fn parse(source: &str) -> Result<Expression, Fault> {
    let words = words(source)?;
    let mut parser = Parser { words: &words, depth: 0 };
    let expression = parser.expression()?;
    match parser.peek() {
        Kind::End => Ok(expression),
        _ => Err(parser.fault("this is too much")),
    }
}

pub(super) struct Parser<'a> {
    pub(super) words: &'a [Word],
    depth: usize,
}

type Parsed = Result<Expression, Fault>;

impl Parser<'_> {
    pub(super) fn peek(&self) -> &Kind {
        self.words.first().map_or(&Kind::End, |word| &word.kind)
    }

    pub(super) fn peek_second(&self) -> &Kind {
        self.words.get(1).map_or(&Kind::End, |word| &word.kind)
    }

    pub(super) fn advance(&mut self) {
        if self.words.len() > 1 {
            self.words = self.words.get(1..).unwrap_or_default();
        }
    }

    pub(super) fn fault(&self, why: &str) -> Fault {
        (self.words.first().map_or(0, |word| word.at), why.to_owned())
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Kind::Sign(found) if *found == sign)
    }

    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.fault(&format!("`{sign}` is missing"))) }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Kind::Name(name) if name == word)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect_word(&mut self, word: &str) -> Result<(), Fault> {
        if self.take_word(word) { Ok(()) } else { Err(self.fault(&format!("`{word}` is missing"))) }
    }

    pub(super) fn name(&mut self) -> Result<String, Fault> {
        let Kind::Name(name) = self.peek() else { return Err(self.fault("a name is missing")) };
        let name = name.clone();
        self.advance();
        Ok(name)
    }

    /// Expressions with commas between them.
    pub(super) fn expression(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.fault("this is nested too deep"));
        }
        let mut parts = vec![self.single()?];
        while self.take_sign(",") {
            parts.push(self.single()?);
        }
        self.depth -= 1;
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Sequence(parts) })
    }

    pub(super) fn single(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.fault("this is nested too deep"));
        }
        let is_variable = matches!(self.peek_second(), Kind::Sign("$"));
        let is_condition = matches!(self.peek_second(), Kind::Sign("("));
        let expression = if is_variable && (self.is_word("for") || self.is_word("let")) {
            let is_let = self.take_word("let") || !self.take_word("for");
            self.binding(is_let)
        } else if is_variable && (self.is_word("some") || self.is_word("every")) {
            let every = self.take_word("every") || !self.take_word("some");
            self.quantified(every)
        } else if is_condition && self.take_word("if") {
            self.condition()
        } else {
            self.binary(0)
        };
        self.depth -= 1;
        expression
    }

    fn variable(&mut self) -> Result<String, Fault> {
        self.expect("$")?;
        self.name()
    }

    /// Behind `for` or `let`; several of them with commas are nested.
    fn binding(&mut self, is_let: bool) -> Parsed {
        let name = self.variable()?;
        if is_let {
            self.expect(":=")?
        } else {
            self.expect_word("in")?
        }
        let from = Box::new(self.single()?);
        let rest = if self.take_sign(",") {
            self.depth += 1;
            if self.depth > DEPTH_MAX {
                return Err(self.fault("this is nested too deep"));
            }
            self.binding(is_let)?
        } else {
            self.expect_word("return")?;
            self.single()?
        };
        let rest = Box::new(rest);
        Ok(if is_let { Expression::Let(name, from, rest) } else { Expression::For(name, from, rest) })
    }

    fn quantified(&mut self, every: bool) -> Parsed {
        let name = self.variable()?;
        self.expect_word("in")?;
        let from = Box::new(self.single()?);
        self.expect_word("satisfies")?;
        Ok(Expression::Quantified { every, name, from, test: Box::new(self.single()?) })
    }

    fn condition(&mut self) -> Parsed {
        self.expect("(")?;
        let test = Box::new(self.expression()?);
        self.expect(")")?;
        self.expect_word("then")?;
        let then = Box::new(self.single()?);
        self.expect_word("else")?;
        Ok(Expression::If(test, then, Box::new(self.single()?)))
    }

    /// Operators that bind at least so tightly.
    fn binary(&mut self, tightness: usize) -> Parsed {
        let mut left = self.typed()?;
        while let Some((operator, binds)) = self.operator()
            && binds >= tightness
        {
            self.advance();
            let right = self.binary(binds + 1)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// The operator at hand, and how tightly it binds.
    fn operator(&self) -> Option<(Operator, usize)> {
        use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Unequal};
        let word = match self.peek() {
            Kind::Name(name) => name.as_str(),
            Kind::Sign(sign) => sign,
            _ => return None,
        };
        Some(match word {
            "or" => (Operator::Or, 0),
            "and" => (Operator::And, 1),
            "=" => (Operator::Compare(Equal), 2),
            "!=" => (Operator::Compare(Unequal), 2),
            "<" => (Operator::Compare(Less), 2),
            "<=" => (Operator::Compare(LessOrEqual), 2),
            ">" => (Operator::Compare(Greater), 2),
            ">=" => (Operator::Compare(GreaterOrEqual), 2),
            "eq" => (Operator::CompareValues(Equal), 2),
            "ne" => (Operator::CompareValues(Unequal), 2),
            "lt" => (Operator::CompareValues(Less), 2),
            "le" => (Operator::CompareValues(LessOrEqual), 2),
            "gt" => (Operator::CompareValues(Greater), 2),
            "ge" => (Operator::CompareValues(GreaterOrEqual), 2),
            "is" => (Operator::Is, 2),
            "<<" => (Operator::Before, 2),
            ">>" => (Operator::After, 2),
            "||" => (Operator::Concat, 3),
            "to" => (Operator::To, 4),
            "+" => (Operator::Add, 5),
            "-" => (Operator::Subtract, 5),
            "*" => (Operator::Multiply, 6),
            "div" => (Operator::Divide, 6),
            "idiv" => (Operator::DivideWhole, 6),
            "mod" => (Operator::Remainder, 6),
            "union" | "|" => (Operator::Union, 7),
            "intersect" => (Operator::Intersect, 8),
            "except" => (Operator::Except, 8),
            _ => return None,
        })
    }

    /// `a instance of b`, `a cast as b`.
    fn typed(&mut self) -> Parsed {
        let mut expression = self.unary()?;
        loop {
            let second = matches!(self.peek_second(), Kind::Name(name) if name == "of" || name == "as");
            if second && (self.is_word("instance") || self.is_word("cast")) {
                let is_cast = self.is_word("cast");
                self.advance();
                self.advance();
                let fault = self.fault("there is no such type");
                let kind = Type::of(&self.name()?).ok_or(fault)?;
                self.take_sign("?");
                let inner = Box::new(expression);
                expression = if is_cast {
                    Expression::CastAs(inner, kind)
                } else {
                    Expression::InstanceOf(inner, kind)
                };
            } else {
                return Ok(expression);
            }
        }
    }

    fn unary(&mut self) -> Parsed {
        let mut negative = false;
        while self.is_sign("-") || self.is_sign("+") {
            negative ^= self.is_sign("-");
            self.advance();
        }
        let path = self.path()?;
        Ok(if negative { Expression::Negative(Box::new(path)) } else { path })
    }
}
