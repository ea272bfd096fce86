//! `varve export warc`: chosen captures in one WARC file.

use std::io::Write;

use ::warc::Encoding;
use anyhow::anyhow;
use transfer::export::{Settings, write_warc};

use super::chosen::Chosen;
use super::done;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::interrupts::Interrupts;
use crate::new_file::NewFile;
use crate::progress::Progress;
use crate::session::Session;
use crate::usage::wrong;

/// Write chosen captures to one WARC file
///
/// Requests and metadata that belong to a capture come along. A capture that was stored as "the same as before" needs the record with its
/// document: if that is not among what was chosen, it comes along. What lies in ARC files becomes WARC. Records are packed as the
/// ending of OUT says: .gz, .zst, or else not at all. OUT may be - for standard output.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,

    /// Write captures that are "the same as before" whole, instead of taking along what they refer to
    #[arg(long)]
    resolve: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let ending = args.chosen.out.extension().and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("wacz")) {
        return Err(wrong(anyhow!("`{}` has the name of a package", args.chosen.out.display())))
            .hint("`varve export wacz` writes one; a WARC file ends with .warc, .warc.gz or .warc.zst");
    }
    if args.chosen.is_piped() && session.out.is_terminal() {
        return Err(wrong(anyhow!("a terminal cannot show a WARC file")))
            .hint("`-o FILE` writes it to a file");
    }
    let archive = session.archive()?;
    let interrupts = Interrupts::listen()?;
    let selection = args.chosen.selection(&archive)?;
    let settings = Settings { resolve: args.resolve, ..args.chosen.settings(&interrupts) };
    let encoding = match ending {
        Some("gz") => Encoding::Gzip(6),
        Some("zst" | "zstd") => Encoding::usual(::warc::Compression::Zstd),
        _ => Encoding::usual(::warc::Compression::None),
    };
    let name = args.chosen.out.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let bar = Progress::captures(&session.talk, "exporting");
    let export = |to: &mut dyn Write| {
        let (place, about) = ((&*name, &encoding), done::about());
        write_warc(&archive, to, place, &selection, &settings, &about, &|count| bar.set(count))
    };
    if args.chosen.is_piped() {
        let exported = export(&mut session.out)?;
        bar.finish();
        session.out.finish()?;
        if exported.captures == 0 {
            args.chosen.nothing(&exported, session)?;
        }
        return done::tell_beside(&exported, session);
    }
    let mut file = NewFile::create(&args.chosen.out, args.chosen.force)?;
    let exported = export(&mut file)?;
    bar.finish();
    if exported.captures == 0 {
        args.chosen.nothing(&exported, session)?;
    }
    file.finish()?;
    done::tell(&exported, &args.chosen, session)
}
