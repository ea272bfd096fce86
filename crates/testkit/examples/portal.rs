//! Writes the made-up site into a folder, to crawl it by hand: `portal FOLDER PAGES`; prints the redirects for nginx.
#![allow(clippy::panic, clippy::print_stdout)]

use std::path::Path;

use testkit::portal::Portal;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, pages] = words.as_slice() else { panic!("usage: portal FOLDER PAGES") };
    let portal = Portal::new(pages.parse().expect("a number of pages"));
    portal.write(Path::new(folder))?;
    print!("{}", portal.nginx_redirects());
    Ok(())
}
