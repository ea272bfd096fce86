//! `varve extract`: what a document is, links to, and says.

mod print;

use std::io::Read as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use extract::html::Wanted;
use extract::identify::Kind;
use extract::{Cut, Document, Limits, Reader, Source, Stop};
use settings::Input;

use crate::exit::Exit;
use crate::session::Session;

/// Bytes read at once.
const PIECE_BYTES: usize = 256 << 10;

/// Show what a document links to, says, and claims to be
///
/// Reads HTML, CSS, JavaScript, JSON, XML, SVG, feeds, sitemaps, robots.txt, playlists, PDF (title and links) and plain
/// text. Without
/// --links, --text, --main or --meta it shows what the document is and says, and then its links, one a line: URL, hop,
/// where it stands, anchor text, with tabs between them.
///
/// The file is the payload alone; for a page inside a WARC file, `varve warc cat FILE --url URL --payload | varve
/// extract - --url URL`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The document; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Where it comes from: relative links are resolved against this URL
    #[arg(long, value_name = "BASE", value_parser = base)]
    url: Option<String>,

    /// What its server says it is, as in a Content-Type header: text/html; charset=utf-8
    #[arg(long = "type", value_name = "MIME")]
    mime: Option<String>,

    /// A header that it came with, such as 'Link: <next.html>; rel=next'; may be given several times
    #[arg(long = "header", value_name = "NAME: VALUE", value_parser = header)]
    headers: Vec<(String, String)>,

    #[command(flatten)]
    part: Part,

    /// Keep at most this many links
    #[arg(long, value_name = "N", default_value_t = Limits::default().links_max)]
    max_links: usize,

    /// Stop reading after so many seconds and show what was found until then
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    timeout: Duration,
}

/// What is shown.
#[derive(clap::Args, Clone, Copy)]
#[group(multiple = false)]
struct Part {
    /// The links alone
    #[arg(long)]
    links: bool,

    /// All visible text
    #[arg(long)]
    text: bool,

    /// The main text: without navigation, headers and footers
    #[arg(long)]
    main: bool,

    /// What it is and says of itself: type, charset, language, title, headings, dates
    #[arg(long)]
    meta: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let mut input = Input::open(&args.file)?;
    let document = read(&args, &mut input, session.globals.json)?;
    for cut in &document.cut {
        let way_out =
            if *cut == Cut::Links { format!(": {}; see --max-links", args.max_links) } else { String::new() };
        session.talk.warning(&format!("{}: {}{way_out}", input.name, cut.message()));
    }
    if let Some(advice) = advice(&document, args.part) {
        session.talk.warning(&format!("{}: {advice}", input.name));
    }
    let part = args.part;
    match (part.links, part.text, part.main, part.meta) {
        (true, ..) => print::links(&document, session)?,
        (_, true, ..) => print::text(&document.text, "text", session)?,
        (_, _, true, _) => print::text(&document.main_text, "main_text", session)?,
        (.., true) => print::meta(&document, session)?,
        _ => print::everything(&document, session)?,
    }
    Ok(Exit::Done)
}

/// What to do with a document that has nothing to show because of what it is.
fn advice(document: &Document, part: Part) -> Option<&'static str> {
    if document.identity.kind == Kind::Pdf && (part.text || part.main) {
        return Some("the text of PDF is not read yet; --meta and --links are");
    }
    match document.identity.mime.essence() {
        "application/gzip" | "application/x-gzip" if document.identity.kind == Kind::Other => Some(
            "it is packed: unpack it with gunzip; if it is a WARC file, `varve warc cat FILE --url URL --payload` has the page",
        ),
        "application/warc" => {
            Some("it is a WARC file: `varve warc cat FILE --url URL --payload` has a page of it")
        }
        _ => None,
    }
}

/// Reads the input piece by piece, until it ends or time is up.
#[allow(clippy::disallowed_methods)] // The one place that looks at the clock for this verb.
fn read(args: &Args, input: &mut Input, json: bool) -> anyhow::Result<Document> {
    let started = Instant::now();
    let claimed = args.mime.as_deref().map(|mime| ("content-type", mime));
    let given = args.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let headers: Vec<(&str, &str)> = claimed.into_iter().chain(given).collect();
    let url = args.url.as_deref().unwrap_or_default();
    let source = Source { url, headers: &headers, agent: "varve", ..Source::default() };
    let timeout = args.timeout;
    let stop = Stop::when(move || started.elapsed() >= timeout);
    let mut limits = Limits::default();
    limits.links_max = args.max_links;
    limits.stop = Some(stop.clone());
    let mut reader = Reader::new(&source, args.part.wanted(json), &limits);
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let length = input.read(&mut piece).with_context(|| format!("cannot read `{}`", input.name))?;
        let Some(read @ [_, ..]) = piece.get(..length) else { break };
        reader.write(read);
        if stop.is_up() {
            break;
        }
    }
    Ok(reader.finish())
}

/// Only a whole URL can be what others are relative to.
fn base(text: &str) -> Result<String, String> {
    match url::Url::parse(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err("not a whole URL, such as https://example.org/page.html".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "not a number of seconds".to_owned())
}

fn header(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once(':').ok_or("a name, a colon and a value are needed: 'Link: <a.html>'")?;
    Ok((parts.0.trim().to_owned(), parts.1.trim().to_owned()))
}

impl Part {
    /// What has to be found for what will be shown.
    fn wanted(self, json: bool) -> Wanted {
        let all = !(self.links || self.text || self.main || self.meta);
        Wanted {
            links: self.links || all,
            scripts: true,
            anchors: true,
            about: self.meta || all,
            // The language is recognised in the text.
            text: self.text || self.meta || all,
            main_text: self.main || (json && all),
        }
    }
}
