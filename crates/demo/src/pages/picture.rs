//! A picture in a page: in one size, or in several from which the browser takes one.

use crate::stories::{Kind, Picture};

/// What the browser is told about when it needs the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    /// At once: it is at the top.
    Now,
    /// When it comes near the window; the browser sees to it.
    Lazy,
    /// When it comes near the window; a script of the paper's own sees to it, as was usual before browsers did.
    ByScript,
}

/// The picture as HTML; `sizes` is how wide it is shown.
pub(crate) fn picture(picture: &Picture, sizes: &str, load: Load) -> String {
    let path = picture.path();
    let (alt, name) = (picture.alt, picture.name);
    let size = "width=\"960\" height=\"600\"";
    let image = match load {
        Load::Now => format!("<img src=\"{path}\" alt=\"{alt}\" {size} fetchpriority=\"high\">"),
        Load::Lazy => format!("<img src=\"{path}\" alt=\"{alt}\" {size} loading=\"lazy\">"),
        Load::ByScript => {
            return format!(
                "<img class=\"lazy\" src=\"/assets/blank.svg\" data-src=\"{path}\" alt=\"{alt}\" {size}>\
                 <noscript><img src=\"{path}\" alt=\"{alt}\" {size}></noscript>"
            );
        }
    };
    match picture.kind {
        Kind::One(_) => image,
        Kind::Wide => format!(
            "<picture><source type=\"image/webp\" sizes=\"{sizes}\" \
             srcset=\"/pictures/{name}-480.webp 480w, /pictures/{name}-960.webp 960w\">{image}</picture>"
        ),
    }
}
