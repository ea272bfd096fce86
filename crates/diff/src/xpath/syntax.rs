//! What an expression consists of.

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    Text(String),
    Number(f64),
    Variable(String),
    /// What the predicate is about.
    Here,
    /// One after the other.
    Sequence(Vec<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    Negative(Box<Expression>),
    If(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `for $x in a return b`.
    For(String, Box<Expression>, Box<Expression>),
    /// `let $x := a return b`.
    Let(String, Box<Expression>, Box<Expression>),
    /// `some $x in a satisfies b`, or `every`.
    Quantified {
        every: bool,
        name: String,
        from: Box<Expression>,
        test: Box<Expression>,
    },
    InstanceOf(Box<Expression>, Type),
    CastAs(Box<Expression>, Type),
    Call(Function, Vec<Expression>),
    /// The document, then steps.
    Root,
    /// Each item of the first is what the steps begin at.
    Path(Box<Expression>, Vec<Step>),
    /// Predicates on a whole sequence: `(//a)[1]`.
    Filter(Box<Expression>, Vec<Expression>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Axis(Axis, Test, Vec<Expression>),
    /// An expression asked for each item: `a/string()`.
    Each(Box<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Child,
    Descendant,
    DescendantOrSelf,
    Itself,
    Parent,
    Ancestor,
    AncestorOrSelf,
    FollowingSibling,
    PrecedingSibling,
    Following,
    Preceding,
    Attribute,
}

impl Axis {
    pub(super) const ALL: [(&'static str, Axis); 12] = [
        ("child", Axis::Child),
        ("descendant", Axis::Descendant),
        ("descendant-or-self", Axis::DescendantOrSelf),
        ("self", Axis::Itself),
        ("parent", Axis::Parent),
        ("ancestor", Axis::Ancestor),
        ("ancestor-or-self", Axis::AncestorOrSelf),
        ("following-sibling", Axis::FollowingSibling),
        ("preceding-sibling", Axis::PrecedingSibling),
        ("following", Axis::Following),
        ("preceding", Axis::Preceding),
        ("attribute", Axis::Attribute),
    ];
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Test {
    Name(String),
    /// `*`
    AnyName,
    /// `f:*`
    Prefix(String),
    /// `*:a`
    Local(String),
    /// `node()`
    Node,
    /// `text()`
    Text,
    /// `comment()`: there are none in our trees.
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    /// Any of the one with any of the other.
    Compare(Comparison),
    /// One with one.
    CompareValues(Comparison),
    Is,
    Before,
    After,
    Concat,
    To,
    Add,
    Subtract,
    Multiply,
    Divide,
    DivideWhole,
    Remainder,
    Union,
    Intersect,
    Except,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Integer,
    Number,
    Boolean,
    Date,
    Any,
}

impl Type {
    pub(super) fn of(name: &str) -> Option<Type> {
        Some(match name.strip_prefix("xs:").unwrap_or(name) {
            "string" | "anyURI" | "normalizedString" | "token" => Type::Text,
            "integer" | "int" | "long" | "short" | "nonNegativeInteger" | "positiveInteger" => Type::Integer,
            "decimal" | "double" | "float" => Type::Number,
            "boolean" => Type::Boolean,
            "date" => Type::Date,
            "anyAtomicType" => Type::Any,
            _ => return None,
        })
    }
}

/// A function that is known.
pub(super) type Function = &'static super::functions::Known;
