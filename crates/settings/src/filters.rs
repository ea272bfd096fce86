//! The tables of what filters let through (A7): those that are built in, and bounds for users' modules.

use super::kind::{FilePath, Number, Parsed, Size};
use super::readable::{Language as Tag, MimePattern, Pattern, StatusRange};
use super::table::{Layer, Row, Shown};

/// What a file says of one filter.
#[derive(Clone)]
pub enum FilterLayer {
    /// By type.
    Mime(mime::MimeLayer),
    /// By length.
    Size(size::SizeLayer),
    /// By what the server said.
    Status(status::StatusLayer),
    /// By address.
    Url(url::UrlLayer),
    /// By language.
    Language(language::LanguageLayer),
    /// By a user's module.
    Module(module::ModuleLayer),
}

/// The filters that are built in, each with what it looks at.
pub const BUILT_IN: [(&str, &str); 5] = [
    ("mime", "the type of a document, as it was found to be"),
    ("size", "its length"),
    ("status", "what the server answered"),
    ("url", "its address"),
    ("language", "the language it is written in"),
];

impl FilterLayer {
    /// Nothing said of the filter of this name.
    pub fn new(name: &str) -> FilterLayer {
        match name {
            "mime" => FilterLayer::Mime(Default::default()),
            "size" => FilterLayer::Size(Default::default()),
            "status" => FilterLayer::Status(Default::default()),
            "url" => FilterLayer::Url(Default::default()),
            "language" => FilterLayer::Language(Default::default()),
            _ => FilterLayer::Module(Default::default()),
        }
    }

    /// What can be said of it.
    pub fn rows(&self) -> &'static [Row] {
        match self {
            FilterLayer::Mime(_) => mime::MimeLayer::ROWS,
            FilterLayer::Size(_) => size::SizeLayer::ROWS,
            FilterLayer::Status(_) => status::StatusLayer::ROWS,
            FilterLayer::Url(_) => url::UrlLayer::ROWS,
            FilterLayer::Language(_) => language::LanguageLayer::ROWS,
            FilterLayer::Module(_) => module::ModuleLayer::ROWS,
        }
    }

    /// What is in force of it.
    pub fn shown(&self) -> Vec<Shown> {
        match self {
            FilterLayer::Mime(layer) => layer.shown(),
            FilterLayer::Size(layer) => layer.shown(),
            FilterLayer::Status(layer) => layer.shown(),
            FilterLayer::Url(layer) => layer.shown(),
            FilterLayer::Language(layer) => layer.shown(),
            FilterLayer::Module(layer) => layer.shown(),
        }
    }
}

/// `mime`.
pub mod mime {
    use super::{MimePattern, Parsed};
    use crate::table::table;

    table! {
        /// Which types are kept.
        Mime, MimeLayer;
        section "mime";
        /// Keep these types alone, such as text/html or image/*; none means all
        include: Vec<Parsed<MimePattern>> = Vec::new(), file();
        /// Drop these types
        exclude: Vec<Parsed<MimePattern>> = Vec::new(), file();
    }
}

/// `size`.
pub mod size {
    use super::Size as Bytes;
    use crate::table::table;

    table! {
        /// Which lengths are kept.
        Size, SizeLayer;
        section "size";
        /// Drop what is shorter
        min: Option<Bytes> = None, file();
        /// Drop what is longer
        max: Option<Bytes> = None, file();
    }
}

/// `status`.
pub mod status {
    use super::{Parsed, StatusRange};
    use crate::table::table;

    table! {
        /// Which answers are kept.
        Status, StatusLayer;
        section "status";
        /// Keep answers of these statuses alone, such as 200, 4xx or 500-599; none means all
        include: Vec<Parsed<StatusRange>> = Vec::new(), file();
        /// Drop answers of these statuses
        exclude: Vec<Parsed<StatusRange>> = Vec::new(), file();
    }
}

/// `url`.
pub mod url {
    use super::{Parsed, Pattern};
    use crate::table::table;

    table! {
        /// Which addresses are kept.
        Url, UrlLayer;
        section "url";
        /// Keep URLs alone that one of these regular expressions matches from end to end; none means all
        include: Vec<Parsed<Pattern>> = Vec::new(), file();
        /// Drop URLs that one of these regular expressions matches from end to end
        exclude: Vec<Parsed<Pattern>> = Vec::new(), file();
    }
}

/// `language`.
pub mod language {
    use super::{Parsed, Tag};
    use crate::table::table;

    table! {
        /// Which languages are kept.
        Language, LanguageLayer;
        section "language";
        /// Keep documents in these languages alone, such as cs or en; none means all
        include: Vec<Parsed<Tag>> = Vec::new(), file();
        /// Drop documents in these languages
        exclude: Vec<Parsed<Tag>> = Vec::new(), file();
        /// Drop documents whose language is not known, too, such as pictures
        drop_unknown: bool = false, file();
    }
}

/// A user's module.
pub mod module {
    use super::{FilePath, Number, Size};
    use crate::table::table;

    table! {
        /// Where a module is, and how much it may use.
        Module, ModuleLayer;
        section "a module";
        /// The file of the module, if it is not NAME.wasm in the archive's folder `filters`; its own settings are beside it, NAME.toml
        module: Option<FilePath> = None, file();
        /// The most steps of a module for one document
        fuel: Number<1, { u64::MAX }> = Number(filter::Limits::default().fuel_per_document), file();
        /// The most memory of a module
        memory: Size = Size(filter::Limits::default().memory_bytes_max as u64), file();
        /// The SHA-256 of the module that a job was begun with; a module that has changed since is told of
        sha256: Option<String> = None, file();
    }
}
