//! Prints the outcome of taking up one file that lies in a replica and that the catalogue does not know.

use serde::Serialize;
use vault::Adopted;

use crate::session::Session;
use crate::terminal::{bytes, escape};

/// For programs.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    adopted: bool,
    bytes: Option<u64>,
    sha256: Option<&'a str>,
    why: Option<&'a str>,
    differ: &'a [String],
}

/// Says what came of a file.
pub(crate) fn tell(one: &Adopted, session: &mut Session) -> anyhow::Result<()> {
    let Adopted { file, outcome, differ } = one;
    if session.globals.json {
        let (sha256, bytes, why) = match outcome {
            Ok((sha256, bytes)) => (Some(sha256.as_str()), Some(*bytes), None),
            Err(why) => (None, None, Some(why.as_str())),
        };
        return session.out.json(&Row { file, adopted: outcome.is_ok(), bytes, sha256, why, differ });
    }
    match outcome {
        Ok((_, length)) => {
            let word = session.paint.good("adopted").to_string();
            session.out.line(format!("{word}  {}  {}", escape(file), bytes(*length)))?;
        }
        Err(why) => {
            let word = session.paint.bad("left").to_string();
            session.out.line(format!("{word}     {}  {}", escape(file), escape(why)))?;
        }
    }
    for replica in differ {
        session.out.line(format!("         another file lies in {} under that name", escape(replica)))?;
    }
    Ok(())
}
