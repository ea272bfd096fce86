//! Whatever a server may send, as far as it can be compared by what it says.

use serde_json::Value;

use crate::{Error, Limits, Page, parse_json};

/// A document to be compared.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Document {
    /// HTML or XML.
    Page(Page),
    /// JSON.
    Json(Value),
    /// Any other text.
    Text(String),
}

impl Document {
    /// A page of HTML, or of XML if it says so.
    #[must_use]
    pub fn page(text: &str, limits: &Limits) -> Document {
        Document::Page(Page::read(text, limits))
    }

    /// A JSON document.
    ///
    /// # Errors
    /// If it is too long, too deep or no JSON.
    pub fn json(text: &str, limits: &Limits) -> Result<Document, Error> {
        parse_json(text, limits).map(Document::Json)
    }

    /// A plain text.
    #[must_use]
    pub fn text(text: &str) -> Document {
        Document::Text(text.to_owned())
    }

    /// A document of a media type, such as `text/html; charset=utf-8`. JSON that is none is taken as text.
    ///
    /// # Errors
    /// If it is longer than is allowed.
    pub fn of_type(media_type: &str, text: &str, limits: &Limits) -> Result<Document, Error> {
        let max = limits.text_bytes_max;
        if text.len() > max {
            return Err(Error::TooLong { bytes: text.len() as u64, max: max as u64 });
        }
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        Ok(match essence.as_str() {
            "text/html" | "application/xhtml+xml" => Document::page(text, limits),
            "text/xml" | "application/xml" => Document::Page(Page::read_xml(text, limits)),
            json if json == "application/json" || json.ends_with("+json") => {
                Document::json(text, limits).unwrap_or_else(|_| Document::text(text))
            }
            xml if xml.ends_with("+xml") => Document::Page(Page::read_xml(text, limits)),
            _ => Document::text(text),
        })
    }
}
