//! What a browser makes of a text: the archived URLs that it would ask for, in order.

use extract::html::{Reader, Wanted};
use extract::{Limits, Links};
use rewrite::Address;
use url::Url;

/// A replay that a text is read in.
#[derive(Debug, Clone)]
pub(crate) struct Replay {
    /// Its prefix as a URL.
    prefix: Url,
    /// The address of the page.
    page: Url,
}

impl Replay {
    /// The replay under a prefix, with this behind it as the address of the page. A page stands under the URL that was asked
    /// for, which has a path if only that of the root.
    pub(crate) fn new(prefix: &str, address: &str) -> Replay {
        let prefix = Url::parse("http://replay.example/").unwrap().join(prefix).unwrap();
        let (head, url) = address.find("http").map_or((address, ""), |at| address.split_at(at));
        let url = Url::parse(url).map_or_else(|_| url.to_owned(), Url::into);
        let page = Url::parse(&format!("{prefix}{head}{url}")).unwrap();
        Replay { prefix, page }
    }

    /// The archived URL of a link, or `live` and its URL if it leads out of the archive.
    pub(crate) fn archived(&self, link: &str, base: Option<&str>) -> String {
        let base = base.and_then(|base| self.page.join(base).ok()).unwrap_or_else(|| self.page.clone());
        let Ok(mut url) = base.join(link) else { return format!("no URL: {link}") };
        url.set_fragment(None);
        // The scheme is that of the replay, whichever it has.
        let without = |url: &Url| url.as_str().split_once(':').unwrap().1.to_owned();
        let Some(address) = without(&url).strip_prefix(&without(&self.prefix)).map(str::to_owned) else {
            return format!("live {url}");
        };
        let Ok(address) = Address::parse(&address) else { return format!("no address: {address}") };
        match Url::parse(&address.url) {
            Ok(url) => url.to_string(),
            Err(_) => address.url,
        }
    }

    /// The URLs of a page, without those that scripts hold.
    pub(crate) fn of_html(&self, html: &str) -> Vec<String> {
        let wanted = Wanted { links: true, scripts: false, about: true, ..Wanted::ADDRESSES };
        let mut reader = Reader::new(wanted, &Limits::default());
        reader.write(html);
        let page = reader.finish();
        let base = page.base.as_deref();
        let mut found: Vec<String> =
            page.links.as_slice().iter().map(|link| self.archived(&link.reference, base)).collect();
        found.extend(page.base.map(|base| format!("base {}", self.archived(&base, None))));
        found
    }

    /// The URLs of a style sheet.
    pub(crate) fn of_css(&self, css: &str) -> Vec<String> {
        let mut links = Links::new(&Limits::default());
        extract::css::links(css, &mut links);
        links.as_slice().iter().map(|link| self.archived(&link.reference, None)).collect()
    }

    /// The URLs of a header with links in angle brackets.
    pub(crate) fn of_links(&self, header: &str) -> Vec<String> {
        let links = header.split('<').skip(1).filter_map(|link| link.split_once('>'));
        links.map(|(link, _)| self.archived(link, None)).collect()
    }

    /// The URLs among the strings of JSON.
    pub(crate) fn of_json(&self, json: &str) -> Vec<String> {
        let strings = json.split('"').skip(1).step_by(2);
        let is_address = |text: &&str| text.starts_with(['/', '.']) || text.contains(':');
        strings.filter(is_address).map(|text| self.archived(text, None)).collect()
    }

    /// The URLs in a text that lead into the archive, wherever they stand.
    pub(crate) fn of_text(&self, text: &str) -> Vec<String> {
        let path = self.prefix.path();
        let mut found = Vec::new();
        let mut rest = text;
        while let Some((_, behind)) = rest.split_once(path) {
            let end =
                behind.find(|c: char| c.is_whitespace() || "\"'<>`)".contains(c)).unwrap_or(behind.len());
            found.push(self.archived(&format!("{path}{}", &behind[..end]), None));
            rest = &behind[end..];
        }
        found
    }
}

/// Where the name `location` stands in a script as a word of its own, and whether each is caught.
pub(crate) fn caught(script: &str, name: &str) -> Vec<bool> {
    let is_name =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_$".contains(byte));
    let script = script.replace(name, "\u{1}location");
    let bytes = script.as_bytes();
    script
        .match_indices("location")
        .filter(|(at, word)| {
            let before = at.checked_sub(1).and_then(|at| bytes.get(at));
            !is_name(before) && !is_name(bytes.get(at + word.len()))
        })
        .map(|(at, _)| at > 0 && bytes[at - 1] == 1)
        .collect()
}
