//! `varve export cdxj`: the lines of chosen captures.

use transfer::export::write_cdxj;

use super::chosen::Chosen;
use super::done;
use crate::exit::Exit;
use crate::new_file::NewFile;
use crate::session::Session;

/// Write the index lines of chosen captures to a CDXJ file, sorted, as the archive has them
///
/// `filename` is the file's path below the archive's folder `store`. OUT may be - for standard output.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let selection = args.chosen.selection(&archive)?;
    if args.chosen.is_piped() {
        let exported = write_cdxj(&archive, &mut session.out, &selection)?;
        if exported.captures == 0 {
            args.chosen.nothing(&exported, session)?;
        }
        return done::tell_beside(&exported, session);
    }
    let mut file = NewFile::create(&args.chosen.out, args.chosen.force)?;
    let exported = write_cdxj(&archive, &mut file, &selection)?;
    if exported.captures == 0 {
        args.chosen.nothing(&exported, session)?;
    }
    file.finish()?;
    done::tell(&exported, &args.chosen, session)
}
