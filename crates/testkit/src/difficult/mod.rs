//! Pages that are hard to replay, and pages that attack, each a small site under names of its own.
//!
//! Every page writes down what it sees (`window.results`) and paints it, so that a live page and its replay can be held against
//! each other: by what scripts saw, by the picture, and by the requests. A page's files are exactly what it asks for, in a
//! browser, on a live server: a test may fetch them all and has the whole page. When it has come to its end, `window.finished`
//! is true.
//!
//! In texts `{port}` stands for the server's port. All names end in `.localhost`, which browsers take to loopback by themselves.

mod attacks;
mod files;
mod frames;
mod looks;
mod old;
mod places;
mod scripts;
mod serve;
mod talk;

pub use files::{Body, File};
pub use serve::Site;

/// A page, with everything that it asks for.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// What it is called; also its host is, with `.localhost`.
    pub name: &'static str,
    /// What is hard about it.
    pub about: &'static str,
    /// The page itself first, then all it asks for.
    pub files: &'static [File],
    /// What it asks for that is no document: nobody expects an answer from an archive.
    pub talk: &'static [&'static str],
}

/// The pages that are hard to replay.
pub fn pages() -> Vec<Page> {
    [places::PAGES, scripts::PAGES, frames::PAGES, looks::PAGES, talk::PAGES, old::PAGES].concat()
}

/// The pages that attack whoever replays them.
pub fn attacks() -> &'static [Page] {
    attacks::PAGES
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_hosts_and_no_file_is_there_twice() {
        let mut names = HashSet::new();
        for page in pages().iter().chain(attacks()) {
            assert!(names.insert(page.name), "{} is there twice", page.name);
            assert!(
                page.name
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte.is_ascii_digit())
            );
            assert!(page.about.ends_with('.'), "{}", page.name);
            let files: HashSet<String> = page.files.iter().map(|file| file.url(page.name, 1)).collect();
            assert_eq!(files.len(), page.files.len(), "{}", page.name);
        }
    }
}
