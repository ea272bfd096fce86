//! How fast pages are rewritten: `cargo run --release -p rewrite --example pages [FILE…]`.
//!
//! Without files it makes a page of twenty kilobytes that is like those of the web: about as many tags, attributes, links and
//! scripts as an average one.

// A measure is for people to read, and takes the time; files are named by whoever runs it.
#![allow(clippy::print_stdout, clippy::disallowed_methods, clippy::unwrap_used)]

use std::time::Instant;

use rewrite::{Kind, Modifier, Place, Rewriter, Settings};

/// Rounds of which the fastest counts.
const ROUNDS: usize = 300;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        measure("a page of 20 KB", Kind::Html, page().as_bytes());
        measure("its script", Kind::Script, script().repeat(40).as_bytes());
        measure("its style", Kind::Css, style().repeat(60).as_bytes());
    }
    for file in files {
        measure(&file, Kind::Html, &std::fs::read(&file).unwrap());
    }
}

fn measure(name: &str, kind: Kind, bytes: &[u8]) {
    let place =
        Place::new("/web/", "20261116080000", Modifier::Page, "http://example.org/news/2026/a.html").unwrap();
    let mut settings = Settings::new(place, kind);
    settings.charset = Some("utf-8".to_owned());
    settings.head = b"<script>window.__varve={}</script><script src=\"/-/shim.js\"></script>".to_vec();
    settings.foot = b"<varve-banner></varve-banner>".to_vec();
    // Short rounds, so that some of them run undisturbed on a busy machine.
    let times = (256 << 10) / bytes.len().max(1);
    let mut best = f64::MAX;
    let mut out = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..times.max(1) {
            out.clear();
            let mut rewriter = Rewriter::new(settings.clone()).unwrap();
            for piece in bytes.chunks(16 << 10) {
                rewriter.feed(piece, &mut out).unwrap();
            }
            rewriter.finish(&mut out).unwrap();
        }
        best = best.min(start.elapsed().as_secs_f64() / times.max(1) as f64);
    }
    let rate = bytes.len() as f64 / best / 1e6;
    println!("{name}: {} bytes, {:.1} µs, {rate:.0} MB/s, {} bytes out", bytes.len(), best * 1e6, out.len());
}

fn page() -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>News of a town</title>\n\
         <link rel=\"stylesheet\" href=\"/css/main.css\"><link rel=\"icon\" href=\"/favicon.ico\">\n\
         <script src=\"/js/jquery.js\" integrity=\"sha256-x\"></script><style>{}</style><script>{}</script></head><body class=\"home\">\n",
        style(),
        script()
    );
    let mut number = 0;
    while page.len() < 20_000 {
        number += 1;
        page.push_str(&format!(
            "<article class=\"card card--wide\" id=\"a{number}\"><h2 class=\"card__title\"><a href=\"/news/2026/{number}.html\">A headline \
             of the day, number {number}</a></h2>\n<a class=\"card__picture\" href=\"{number}.html?from=list&amp;at={number}\"><img \
             src=\"../img/{number}.jpg\" alt=\"A picture\" width=\"320\" height=\"200\" loading=\"lazy\"></a>\n<p class=\"card__text\">The \
             council met on Monday and talked for three hours about the bridge, which is still closed. Nobody knows when it will open \
             again, says the mayor; the ferry goes on every hour until then.</p>\n<ul class=\"tags\"><li><a href=\"/tags/bridge\" \
             rel=\"tag\">bridge</a></li><li><a href=\"https://other.example/council\" target=\"_blank\">council</a></li></ul></article>\n"
        ));
    }
    page.push_str("</body></html>\n");
    page
}

fn style() -> &'static str {
    "body{margin:0;font:16px/1.5 sans-serif}.card{padding:1em;background:#fff url(/img/card.png) no-repeat}\
     .card__title a{color:#036;text-decoration:none}@media (max-width:40em){.card{float:none;width:auto}}\
     @font-face{font-family:\"Town\";src:url(\"../fonts/town.woff2\") format(\"woff2\")}\n"
}

fn script() -> &'static str {
    "(function(w,d){var q=w.queue=w.queue||[];function go(u){if(!u||/^#/.test(u))return;w.location.href=u}\
     d.addEventListener('click',function(e){var t=e.target.closest('[data-go]');if(t){e.preventDefault();go(t.dataset.go)}});\
     q.push({event:'view',path:location.pathname,title:d.title,at:Date.now()/1000|0});\n\
     // The ferry is asked for every minute.\n\
     setInterval(function(){fetch('/api/ferry?at='+encodeURIComponent(new Date().toISOString())).then(function(r){return r.json()})\
     .then(function(f){d.getElementById('ferry').textContent=`next: ${f.next}`})},60000)})(window,document);\n"
}
