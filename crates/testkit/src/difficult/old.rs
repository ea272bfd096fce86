//! Pages of other times and other grammars.

use super::Page;
use super::files::{Body, CHECK_FILE, File, drawing, html};

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "windows-1251",
        about: "A page in another charset, which its header tells, with a link that has letters of it.",
        files: &[
            File {
                host: "",
                path: "/",
                mime: "text/html; charset=windows-1251",
                body: Body::Bytes(CYRILLIC),
            },
            CHECK_FILE,
            drawing("/pic.svg", "green"),
        ],
        talk: &[],
    },
    Page {
        name: "xhtml",
        about: "A page that is XML, and must stay so.",
        files: &[
            File { host: "", path: "/", mime: "application/xhtml+xml", body: Body::Text(XHTML) },
            CHECK_FILE,
            drawing("/pic.svg", "navy"),
            drawing("/made.svg", "olive"),
        ],
        talk: &[],
    },
    Page {
        name: "quirks",
        about: "Tag soup of the last century, which is laid out by other rules.",
        files: &[
            html("/old.htm", QUIRKS),
            CHECK_FILE,
            drawing("/back.svg", "khaki"),
            drawing("/spacer.svg", "red"),
        ],
        talk: &[],
    },
];

/// "Привет" as text, and what a script makes of it.
const CYRILLIC: &[u8] = b"<!DOCTYPE html><html><head><script src=\"/check.js\"></script></head><body><div id=\"out\"></div>\
    <h1 id=\"h\">\xcf\xf0\xe8\xe2\xe5\xf2</h1><a id=\"a\" href=\"/\xff?q=\xff\">x</a><img src=\"pic.svg\"><script>\
    say('text', document.getElementById('h').textContent); say('charset', document.characterSet); \
    say('made', '\xdf'); say('path', document.getElementById('a').pathname); done();</script></body></html>";

const XHTML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>X</title><script src="/check.js" type="text/javascript"></script></head>
<body><div id="out"></div><p>one &amp; two<br/><img src="/pic.svg" alt=""/></p><script type="text/javascript">//<![CDATA[
say('kind', [document.contentType, document.compatMode, location.pathname, 1 < 2 && 3 > 2]);
var image = document.createElement('img'); image.onload = function () { say('image', image.src); done(); };
image.src = '/made.svg'; document.body.appendChild(image);
//]]></script></body></html>"#;

const QUIRKS: &str = r#"<html><head><title>old<script language=JavaScript src=/check.js></script></title><script language="JavaScript" src=/check.js></script>
<body background=back.svg text=black><div id=out></div><table width=300 border=1 cellpadding=5><tr><td background='/back.svg'><font size=4>cell<tr><td>
<img src=spacer.svg width=80 height=40><script><!--
say('mode', document.compatMode); say('all', document.images.length); say('anchors', document.links.length); document.title = location.pathname; say('title', document.title); done();
//--></script><a href=/next.htm onMouseOver="window.status='x'; return true">next</a></table>"#;
