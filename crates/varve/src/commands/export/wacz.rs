//! `varve export wacz`: a package that opens in any browser.

use anyhow::anyhow;
use clap::ValueEnum;
use transfer::export::{IndexForm, Settings, write_wacz};

use super::chosen::Chosen;
use super::done;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::interrupts::Interrupts;
use crate::new_file::NewFile;
use crate::progress::Progress;
use crate::session::Session;
use crate::usage::wrong;

/// Write chosen captures as a WACZ file (version 1.1.1), with index and list of pages
///
/// The pages of the list are HTML documents that were seeds or come to by a link, with title and text. A capture that was stored as "the
/// same as before" needs the record with its document: if that is not among what was chosen, it comes along.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,

    /// What the collection is called
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// More about it, in Markdown
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,

    /// Write captures that are "the same as before" whole, instead of taking along what they refer to
    #[arg(long)]
    resolve: bool,

    /// Leave the text of pages out of their list
    #[arg(long)]
    no_text: bool,

    /// How the index is written
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Zipnum)]
    index: Form,
}

/// How the index is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Packed in blocks: a reader far away fetches only what it needs
    Zipnum,
    /// Lines of text
    Cdxj,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    if args.chosen.is_piped() {
        return Err(wrong(anyhow!(
            "a package cannot go to standard output: its parts are completed when it ends"
        )))
        .hint("`-o FILE` writes it to a file; `varve export warc -o -` writes its records");
    }
    let archive = session.archive()?;
    let interrupts = Interrupts::listen()?;
    let selection = args.chosen.selection(&archive)?;
    let settings = Settings {
        resolve: args.resolve,
        title: args.title.clone(),
        description: args.description.clone(),
        index: match args.index {
            Form::Zipnum => IndexForm::ZipNum,
            Form::Cdxj => IndexForm::Cdxj,
        },
        text: !args.no_text,
        ..args.chosen.settings(&interrupts)
    };
    let bar = Progress::captures(&session.talk, "exporting");
    let mut file = NewFile::create(&args.chosen.out, args.chosen.force)?;
    let exported =
        write_wacz(&archive, &mut file, &selection, &settings, &done::about(), &|count| bar.set(count))?;
    bar.finish();
    if exported.captures == 0 {
        args.chosen.nothing(&exported, session)?;
    }
    file.finish()?;
    done::tell(&exported, &args.chosen, session)
}
