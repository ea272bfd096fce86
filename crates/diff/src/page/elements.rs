//! What is known of the elements of HTML: which are blocks, which have no content, which end which.
//!
//! <https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3>

/// Elements that have no content and no end tag.
pub(super) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Elements that stand on lines of their own.
pub(super) fn is_block(name: &str) -> bool {
    is_closing_paragraphs(name)
        || matches!(
            name,
            "body"
                | "caption"
                | "dd"
                | "dt"
                | "frameset"
                | "head"
                | "html"
                | "legend"
                | "li"
                | "optgroup"
                | "option"
                | "select"
                | "tbody"
                | "td"
                | "tfoot"
                | "th"
                | "thead"
                | "title"
                | "tr"
                | "video"
                | "audio"
                | "iframe"
                | "button"
                | "textarea"
                | "marquee"
        )
}

/// Elements whose start ends a paragraph.
pub(super) fn is_closing_paragraphs(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "center"
            | "details"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "hr"
            | "listing"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "search"
            | "section"
            | "summary"
            | "table"
            | "ul"
            | "xmp"
    )
}

/// Elements that a reader does not see, nor anything in them.
pub(super) fn is_hidden(name: &str) -> bool {
    matches!(
        name,
        "base"
            | "datalist"
            | "head"
            | "link"
            | "meta"
            | "noembed"
            | "noframes"
            | "noscript"
            | "param"
            | "rp"
            | "script"
            | "style"
            | "svg"
            | "template"
            | "title"
    )
}

/// Which open elements a start tag ends, and which keep it from looking further.
pub(super) fn implied_ends(name: &str) -> Option<(&'static [&'static str], &'static [&'static str])> {
    const LISTS: &[&str] = &["ul", "ol", "menu", "dir", "table", "td", "th"];
    const PARAGRAPHS: &[&str] =
        &["table", "td", "th", "caption", "button", "object", "marquee", "applet", "template"];
    Some(match name {
        "li" => (&["li"], LISTS),
        "dd" | "dt" => (&["dd", "dt"], &["dl", "table", "td", "th"]),
        "option" => (&["option"], &["select", "datalist", "optgroup"]),
        "optgroup" => (&["optgroup"], &["select"]),
        "td" | "th" => (&["td", "th"], &["tr", "table"]),
        "tr" => (&["tr"], &["tbody", "thead", "tfoot", "table"]),
        "tbody" | "thead" | "tfoot" => (&["tbody", "thead", "tfoot"], &["table"]),
        "rp" | "rt" => (&["rp", "rt"], &["ruby"]),
        "body" => (&["head"], &["html"]),
        name if is_closing_paragraphs(name) => (&["p"], PARAGRAPHS),
        _ => return None,
    })
}

/// Elements behind which an end tag of something else does not look.
pub(super) fn is_boundary(name: &str) -> bool {
    matches!(name, "table" | "td" | "th" | "caption" | "button" | "object" | "template")
}

/// End tags that look behind boundaries all the same.
pub(super) fn is_of_table(name: &str) -> bool {
    matches!(name, "table" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th" | "caption" | "body" | "html")
}
