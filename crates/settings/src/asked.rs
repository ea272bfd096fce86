//! Settings that a form, a program or the command line names one by one, in the words of a settings file.

use std::path::Path;

use super::error::Error;
use super::harvest::HarvestLayer;
use super::kind::{Given, Raw};
use super::origin::Origin;
use super::table::{Layer as _, Refused};

impl HarvestLayer {
    /// Sets one setting, as text.
    ///
    /// # Errors
    /// When there is no such setting, or the text is no value of it.
    pub fn say(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let name = "as asked".to_owned();
        self.say_as(key, &Raw::Text(value.to_owned()), name).map_err(|refused| {
            let error = Error::new(refused.message);
            match refused.hint {
                Some(hint) => error.with_hint(hint),
                None => error,
            }
        })
    }

    /// Sets one setting in the name of an option of the command line.
    ///
    /// # Errors
    /// When there is no such setting, or this is no value of it.
    pub fn say_as(&mut self, key: &str, raw: &Raw, name: String) -> Result<(), Refused> {
        let given = Given { raw, folder: Path::new("") };
        let mut said = HarvestLayer::default();
        said.set(key, &given, Origin::Flag { name })?;
        self.lay(&said);
        Ok(())
    }
}

/// A profile, as if the command line had named it and nothing else.
#[must_use]
pub fn profile_layer(name: Option<&str>) -> HarvestLayer {
    let mut layer = HarvestLayer::default();
    if let Some(name) = name {
        // Any text is a name.
        let _ = layer.say_as("profile", &Raw::Text(name.to_owned()), "--profile".to_owned());
    }
    layer
}
