//! Tells whoever looks at the screen, by whatever the caller writes with.

use std::fmt;
use std::io;

use crate::channel::Channel;
use crate::error::Error;
use crate::message::Message;

/// What shows a message.
type Show = dyn Fn(&Message) -> io::Result<()> + Send + Sync;

/// Shows messages by a function: this crate prints nothing itself.
pub struct Screen {
    show: Box<Show>,
}

impl Screen {
    /// Shows messages by this function.
    pub fn new(show: impl Fn(&Message) -> io::Result<()> + Send + Sync + 'static) -> Screen {
        Screen { show: Box::new(show) }
    }
}

impl fmt::Debug for Screen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Screen")
    }
}

impl Channel for Screen {
    fn name(&self) -> String {
        "screen".to_owned()
    }

    fn send(&self, message: &Message) -> Result<(), Error> {
        (self.show)(message).map_err(|source| Error::Shown { source })
    }

    /// Who looks at the screen tomorrow was not there.
    fn is_lasting(&self) -> bool {
        false
    }
}
