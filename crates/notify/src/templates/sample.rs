//! Made-up news that templates are tried with.

use crate::news::{Bulletin, Links, News, NewsKind};

/// Nothing, one piece of each kind, and several.
pub(super) fn bulletins() -> Vec<Bulletin> {
    let kinds = [NewsKind::Changed, NewsKind::Gone, NewsKind::Back];
    let several = kinds.map(|kind| piece(kind, true)).into_iter().chain(kinds.map(|kind| piece(kind, false)));
    let mut bulletins = vec![Vec::new(), several.collect()];
    bulletins.extend(kinds.map(|kind| vec![piece(kind, true)]));
    bulletins.extend(kinds.map(|kind| vec![piece(kind, false)]));
    let bulletin = |news| Bulletin { archive: "city".to_owned(), owner: "ann".to_owned(), news };
    bulletins.into_iter().map(bulletin).collect()
}

/// One of which everything is known, or next to nothing.
fn piece(kind: NewsKind, is_whole: bool) -> News {
    let url = "https://harbour.example.org/timetable".to_owned();
    if !is_whole {
        return News { kind, url, ..News::default() };
    }
    let link = |name: &str| format!("https://archive.example.org/{name}");
    News {
        id: "17-3".to_owned(),
        watch: "17".to_owned(),
        kind,
        url,
        title: "Harbour timetable".to_owned(),
        time: "2026-11-18T03:00:00Z".to_owned(),
        before: "2026-11-17T03:00:00Z".to_owned(),
        after: "2026-11-18T03:00:00Z".to_owned(),
        summary: "3 words".to_owned(),
        text: "-08:40\n+08:45".to_owned(),
        html: "<del>08:40</del> <ins>08:45</ins>".to_owned(),
        links: Links {
            page: link("page"),
            difference: link("difference"),
            before: link("before"),
            after: link("after"),
        },
    }
}
