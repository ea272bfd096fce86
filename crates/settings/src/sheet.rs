//! The table of what a sheet can say: settings for one part of the web (B9).

use std::time::Duration;

use scope::Sheet;

use super::kind::{Number, Parsed, Size};
use super::readable::{HeaderText, Pattern, Prefix};
use super::table::table;
use super::words::SheetRobots;

table! {
    /// What is otherwise in one part of the web.
    SheetValues, SheetLayer;

    section "Sheets";
    /// What the sheet is called in reports
    name: Option<String> = None, file();
    /// Where it holds: SURT prefixes, URLs (each for its folder) or hosts (each for itself and all below it)
    prefixes: Vec<Parsed<Prefix>> = Vec::new(), file();
    /// Leave this part out altogether
    skip: Option<bool> = None, file();
    /// Wait so long between two requests to a host
    delay: Option<Duration> = None, file();
    /// The most documents of this part
    max_objects: Option<Number<0, { u64::MAX }>> = None, file();
    /// The most bytes of this part
    max_bytes: Option<Size> = None, file();
    /// The most links between a start URL and a page
    depth: Option<Number<0, { u32::MAX as u64 }>> = None, file();
    /// Whether robots.txt is obeyed: `obey` or `ignore`
    robots: Option<SheetRobots> = None, file();
    /// User-Agent
    agent: Option<String> = None, file();
    /// Further headers of each request
    headers: Vec<Parsed<HeaderText>> = Vec::new(), file();
    /// Crawler traps, besides those that hold everywhere: regular expressions for whole URLs
    traps: Vec<Parsed<Pattern>> = Vec::new(), file();
}

impl SheetValues {
    /// As the scope wants it.
    pub fn sheet(&self) -> Sheet {
        let headers = self.headers.iter().map(|header| &header.value);
        Sheet {
            name: self.name.clone().unwrap_or_default(),
            prefixes: self.prefixes.iter().map(|prefix| prefix.text.clone()).collect(),
            delay: self.delay.map(|delay| delay.as_secs_f64()),
            max_objects: self.max_objects.map(|Number(objects)| objects),
            max_bytes: self.max_bytes.map(|Size(bytes)| bytes),
            robots: self.robots.map(|robots| match robots {
                SheetRobots::Obey => scope::Robots::Obey,
                SheetRobots::Ignore => scope::Robots::Ignore,
            }),
            agent: self.agent.clone(),
            headers: headers.map(|header| (header.name.clone(), header.value.clone())).collect(),
            traps: self.traps.iter().map(|trap| trap.text.clone()).collect(),
            depth: self.depth.and_then(|Number(depth)| u32::try_from(depth).ok()),
            skip: self.skip,
        }
    }
}
