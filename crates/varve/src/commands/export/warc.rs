//! `varve export warc`: chosen captures in one WARC file.

use ::warc::Encoding;
use archive::export::Settings;

use super::chosen::Chosen;
use super::done;
use crate::commands::harvest::Interrupts;
use crate::exit::Exit;
use crate::new_file::NewFile;
use crate::progress::Progress;
use crate::session::Session;

/// Write chosen captures to one WARC file
///
/// Requests and metadata that belong to a capture come along. A capture that was stored as "the same as before" needs the record with its
/// document: if that is not among what was chosen, it comes along. What lies in ARC files becomes WARC. Records are packed as the
/// ending of OUT says: .gz, .zst, or else not at all.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,

    /// Write captures that are "the same as before" whole, instead of taking along what they refer to
    #[arg(long)]
    resolve: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let interrupts = Interrupts::listen()?;
    let selection = args.chosen.selection(&archive)?;
    let settings = Settings { resolve: args.resolve, ..args.chosen.settings(&interrupts) };
    let encoding = match args.chosen.out.extension().and_then(|ending| ending.to_str()) {
        Some("gz") => Encoding::Gzip(6),
        Some("zst" | "zstd") => Encoding::usual(::warc::Compression::Zstd),
        _ => Encoding::usual(::warc::Compression::None),
    };
    let name = args.chosen.out.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let bar = Progress::captures(&session.talk, "exporting");
    let mut file = NewFile::create(&args.chosen.out, args.chosen.force)?;
    let about = done::about();
    let exported =
        archive.export_warc(&mut file, (&name, &encoding), &selection, &settings, &about, &|count| {
            bar.set(count)
        })?;
    bar.finish();
    if exported.captures == 0 {
        args.chosen.nothing(&exported)?;
    }
    file.finish()?;
    done::tell(&exported, &args.chosen, session)
}
