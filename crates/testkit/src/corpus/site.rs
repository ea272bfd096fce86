//! A made-up site: its host, address, and what its URLs and menus look like.

use std::fmt::Write as _;

use super::dice::Dice;
use super::moment::Moment;
use super::words::Words;
use super::{CAPTURES_PER_SITE, Kind};

/// What all captures of one site have in common.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) scheme: &'static str,
    pub(super) host: String,
    pub(super) ip: String,
    pub(super) server: &'static str,
    /// The part of every page above and below its text, so that pages of a site resemble each other.
    pub(super) menu: String,
    pub(super) generator: &'static str,
}

impl Site {
    pub(super) fn new(seed: u64, number: u64, words: &Words) -> Self {
        let mut dice = Dice::new(&[seed, number, 0x7369_7465]);
        let www = dice.pick(&["www.", "www.", "", "blog.", "shop."]);
        // Only names that are reserved for examples: nobody's real site is made up here.
        let domain = dice.pick(&["example.com", "example.net", "example.org", "example"]);
        let host = format!("{www}{}{}.{domain}", words.name(&mut dice), number % 97);
        // The three blocks that are reserved for documentation.
        let block = dice.pick(&["192.0.2", "198.51.100", "203.0.113"]);
        let ip = format!("{block}.{}", dice.between(1, 254));
        let server = dice.pick(&[
            "nginx",
            "Apache/2.4.62 (Debian)",
            "cloudfront",
            "Microsoft-IIS/10.0",
            "openresty/1.25.3.1",
        ]);
        let generator = dice.pick(&["WordPress 6.7", "Drupal 10", "TYPO3 CMS", "Hugo 0.139.0", ""]);
        let scheme = if dice.percent(85) { "https" } else { "http" };
        let menu = menu(words, &mut dice);
        Self { scheme, host, ip, server, menu, generator }
    }

    /// The URL of a capture of this site.
    pub(super) fn url(&self, number: u64, kind: Kind, words: &Words, dice: &mut Dice) -> String {
        let Self { scheme, host, .. } = self;
        let id = number % CAPTURES_PER_SITE;
        let one = words.name(dice);
        let two = words.name(dice);
        match kind {
            Kind::Dns => format!("dns:{host}"),
            Kind::Robots => format!("{scheme}://{host}/robots.txt"),
            Kind::Style => format!("{scheme}://{host}/assets/css/{one}.{:08x}.css", dice.next() >> 32),
            Kind::Script => {
                format!("{scheme}://{host}/assets/js/{one}-{two}.min.js?ver={id}.{}", dice.below(20))
            }
            Kind::Data => format!("{scheme}://{host}/api/v2/{one}?page={id}&per_page=50&sort={two}"),
            Kind::Image => format!(
                "{scheme}://{host}/media/2026/03/{one}-{two}-{id}.{}",
                dice.pick(&["jpg", "png", "webp"])
            ),
            Kind::Document => format!("{scheme}://{host}/download/{one}_{two}_{id}.pdf"),
            Kind::Video => format!("{scheme}://{host}/video/{one}/segment-{id}.mp4"),
            Kind::Page if id == 2 => format!("{scheme}://{host}/"),
            Kind::Redirect => format!("http://{host}/{one}/{id}"),
            _ if dice.percent(20) => format!("{scheme}://{host}/index.php?id={id}&{one}={two}"),
            _ => format!("{scheme}://{host}/{one}/{two}-{id}{}", dice.pick(&["/", ".html", ""])),
        }
    }

    /// The answer to a lookup, as Heritrix writes it.
    pub(super) fn lookup(&self, moment: &Moment) -> Vec<u8> {
        format!("{}\n{}.\t300\tIN\tA\t{}\n", moment.digits(), self.host, self.ip).into_bytes()
    }
}

/// Links to the parts of a site.
fn menu(words: &Words, dice: &mut Dice) -> String {
    let mut menu = String::from("<nav class=\"main-navigation\" aria-label=\"Menu\"><ul class=\"menu\">\n");
    for item in 0..dice.between(8, 30) {
        let name = words.name(dice);
        let class = format!("menu-item menu-item-type-post_type menu-item-{}", 100 + item);
        // Writing to a string cannot fail.
        let _ = writeln!(
            menu,
            "<li id=\"menu-item-{item}\" class=\"{class}\"><a href=\"/{name}/\">{}</a></li>",
            words.one(dice)
        );
    }
    menu.push_str("</ul></nav>\n");
    menu
}
