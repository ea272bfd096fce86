//! Hostile documents: whatever they are, they come out, in memory that does not grow with them.

use rewrite::{Kind, Limits, Rewriter, Settings};

use crate::{place, rewrite};

/// So much is poured in. Without optimisation more would take minutes.
const FLOOD_BYTES: usize = if cfg!(debug_assertions) { 3 << 20 } else { 16 << 20 };

fn settings(kind: Kind) -> Settings {
    let mut settings = Settings::new(place(), kind);
    (settings.head, settings.foot) = (b"<H>".to_vec(), b"<F>".to_vec());
    settings
}

/// Feeds a piece again and again between a start and an end. Gives how much came out, the largest it ever wrote for one
/// piece, and whether it was cut.
fn flood(kind: Kind, start: &str, piece: &[u8], times: usize, limits: Limits) -> (usize, usize, bool) {
    let mut rewriter = Rewriter::new(Settings { limits, ..settings(kind) }).unwrap();
    let (mut all, mut most) = (0, 0);
    let mut out = Vec::new();
    let pieces = std::iter::once(start.as_bytes()).chain(std::iter::repeat_n(piece, times));
    for piece in pieces {
        rewriter.feed(piece, &mut out).unwrap();
        (all, most) = (all + out.len(), most.max(out.len()));
        out.clear();
    }
    rewriter.finish(&mut out).unwrap();
    (all + out.len(), most.max(out.len()), rewriter.is_cut())
}

/// Feeds a piece so often, and then a page's end. Gives what came out last, and whether it was cut.
fn end_behind(start: &str, piece: &str, times: usize, limits: Limits) -> (String, bool) {
    let mut rewriter = Rewriter::new(Settings { limits, ..settings(Kind::Html) }).unwrap();
    let mut out = Vec::new();
    rewriter.feed(start.as_bytes(), &mut out).unwrap();
    let mut all = 0;
    for _ in 0..times {
        out.clear();
        rewriter.feed(piece.as_bytes(), &mut out).unwrap();
        all += out.len();
    }
    out.clear();
    rewriter.feed(b"<a href=/b><script>location</script></body></html>", &mut out).unwrap();
    rewriter.finish(&mut out).unwrap();
    // The start may be held until there is enough of it.
    assert!(all + 1024 >= piece.len() * times, "bytes were lost: {all}");
    (String::from_utf8(out).unwrap(), rewriter.is_cut())
}

const END: &str = "<a href=\"/web/2026/http://e.org/b\"><script>__varve_location</script></body></html><F>";

#[test]
fn a_million_nested_tags_come_out_and_what_follows_is_rewritten() {
    let (out, is_cut) = end_behind("", &"<div>".repeat(1000), 1000, Limits::default());
    assert!(out.ends_with(END) && !is_cut, "{out}");
}

#[test]
fn whatever_is_nested_what_follows_is_rewritten() {
    let limits = Limits { html_bytes_max: 1 << 20, ..Limits::default() };
    let names: String = (0..1000).map(|number| format!("<x-{number}>")).collect();
    let cases = [
        ("<body>", "<i><b title='<u>'>".repeat(500)),
        ("<svg>", "<g>".repeat(1000)),
        ("", names),
        ("", "<div><p></p></b>".repeat(500)),
        ("", format!("<{}>", "x".repeat(2000)).repeat(100)),
    ];
    for (start, piece) in cases {
        let (out, is_cut) = end_behind(start, &piece, 20, limits.clone());
        assert!(out.ends_with(END) && !is_cut, "{start}{} {is_cut} {out}", &piece[..20]);
    }
    let (_, _, is_cut) = flood(Kind::Html, "", "<div></div>".repeat(1000).as_bytes(), 20, limits);
    assert!(!is_cut);
}

/// Where the parser begins anew, nothing is lost, written twice or seen otherwise.
#[test]
fn parsers_that_begin_anew_leave_no_trace() {
    let page: String = (0..400)
        .map(|number| {
            format!(
                "<div id={number}>t&amp;x<a href=/b>ž</a><script>location/{number}/</script><!--{number}-->\n"
            )
        })
        .collect();
    let plain = rewrite(settings(Kind::Html), page.as_bytes());
    let limits = Limits { html_bytes_max: 16 << 10, ..Limits::default() };
    for length in [1, 7, 100, 1 << 20] {
        let small = Settings { limits: limits.clone(), ..settings(Kind::Html) };
        let out = crate::pieces(small, page.as_bytes(), length);
        assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&plain), "{length}");
    }
}

#[test]
fn pages_of_many_unclosed_elements_are_read_whole() {
    let (_, _, is_cut) = flood(Kind::Html, "", "<p>x<br>".repeat(1000).as_bytes(), 100, Limits::default());
    assert!(!is_cut);
}

#[test]
fn behind_a_limit_the_rest_passes_as_it_is() {
    let limits = Limits { html_bytes_max: 64 << 10, ..Limits::default() };
    let page = format!("<a href=/a><p title='{}'><a href=/b></body>", "x".repeat(200_000));
    for length in [1 << 20, 1000, 7] {
        let mut rewriter =
            Rewriter::new(Settings { limits: limits.clone(), ..settings(Kind::Html) }).unwrap();
        let mut out = Vec::new();
        page.as_bytes().chunks(length).for_each(|piece| rewriter.feed(piece, &mut out).unwrap());
        rewriter.finish(&mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(rewriter.is_cut(), "{length}");
        assert!(out.starts_with("<H><a href=\"/web/2026/http://e.org/a\"><p title='xxx"), "{length}");
        assert!(out.ends_with("x'><a href=/b></body>"), "{length}");
    }
}

/// The input of which a small page is made, and how much it may become.
#[test]
fn no_page_becomes_many_times_as_long() {
    let base = format!("<base href='http://a.org/{}/'>", "a".repeat(200_000));
    let near = format!("<base href='http://a.org/{}/'>", "a".repeat(8_000));
    let links = "<a href=x>".repeat(5_000);
    let set = format!("<img srcset='{}'>", "a 1x,".repeat(40_000));
    let frames = "<iframe srcdoc=x></iframe>".repeat(9_000);
    let calls = format!("<p style='{}'>", "b:url(c);".repeat(20_000));
    for (start, body) in [(&base, &links), (&near, &links), (&near, &set), (&near, &calls), (&near, &frames)]
    {
        let mut settings = settings(Kind::Html);
        settings.head = vec![b'h'; 2_000];
        let mut rewriter = Rewriter::new(settings).unwrap();
        let mut out = Vec::new();
        rewriter.feed(start.as_bytes(), &mut out).unwrap();
        rewriter.feed(body.as_bytes(), &mut out).unwrap();
        rewriter.finish(&mut out).unwrap();
        let read = start.len() + body.len();
        assert!(out.len() <= (5 << 20) + 18 * read, "{} from {read}", out.len());
        assert_eq!(rewriter.is_cut(), start == &near, "{}", &body[..10]);
    }
    let (out, is_cut) = end_behind(&base, "<p>", 1000, Limits::default());
    assert!(out.ends_with(END) && !is_cut, "{out}");
}

/// Counted in time, in the same run: sixteen times the attributes may not take many times sixteen times as long.
#[test]
#[allow(clippy::disallowed_methods)] // Only a clock tells what is linear, and both sides are read from the same.
fn many_attributes_take_as_long_as_they_are_many() {
    let took = |count: usize| {
        let names: String = (0..count).map(|number| format!(" on{number}=location")).collect();
        let page = format!("<p{names}>");
        let begun = std::time::Instant::now();
        let out = String::from_utf8(rewrite(settings(Kind::Html), page.as_bytes())).unwrap();
        assert_eq!(out.matches("=\"__varve_location\"").count(), count);
        begun.elapsed()
    };
    let few = (0..3).map(|_| took(2_000)).min().unwrap();
    let many = (0..3).map(|_| took(32_000)).min().unwrap();
    assert!(many < few * 64, "{few:?} {many:?}");
}

#[test]
fn a_tag_with_many_changes_is_written_anew_as_it_was() {
    let names: String = (0..100).map(|number| format!(" on{number}=location")).collect();
    let page = format!("<INPUT Value='a\"&amp;' integrity=x src=/b{names} on1=twice checked/>c");
    let out = String::from_utf8(rewrite(Settings::new(place(), Kind::Html), page.as_bytes())).unwrap();
    let start =
        "<INPUT Value=\"a&quot;&amp;\" src=\"/web/2026im_/http://e.org/b\" on0=\"__varve_location\" on1=\"__";
    assert!(out.starts_with(start), "{out}");
    assert!(out.ends_with(" on99=\"__varve_location\" on1=\"twice\" checked=\"\" />c"), "{out}");
}

#[test]
fn the_head_is_put_in_before_the_parser_gives_up() {
    let limits = Limits { html_bytes_max: 64 << 10, ..Limits::default() };
    let page = format!("<!doctype html><html title='{}'><script>x</script>", "x".repeat(200_000));
    for length in [1 << 20, 1000] {
        let small = Settings { limits: limits.clone(), ..settings(Kind::Html) };
        let out = String::from_utf8(crate::pieces(small, page.as_bytes(), length)).unwrap();
        assert!(out.starts_with("<!doctype html><H><html title"), "{length} {}", &out[..60]);
    }
}

#[test]
fn what_never_ends_is_not_held() {
    let x = "x".repeat(64 << 10);
    let quoted = format!("{x}'\"");
    let starts = [
        (Kind::Html, "<a href='", x.as_str()),
        (Kind::Html, "<", x.as_str()),
        (Kind::Html, "<a ", "b "),
        (Kind::Html, "<!--", x.as_str()),
        (Kind::Html, "<script>'", x.as_str()),
        (Kind::Html, "<script>", x.as_str()),
        (Kind::Html, "<style>url(", x.as_str()),
        (Kind::Html, "<script type=importmap>\"", x.as_str()),
        (Kind::Html, "<noscript><a href='", x.as_str()),
        (Kind::Html, "<title>", x.as_str()),
        (Kind::Css, "url('", x.as_str()),
        (Kind::Css, "", quoted.as_str()),
        (Kind::Script, "import '", x.as_str()),
        (Kind::Script, "`", x.as_str()),
        (Kind::Script, "location/*", x.as_str()),
        (Kind::Script, "", "((((((((((((((((((((((((((((((((((("),
        (Kind::Xml, "<svg a='", x.as_str()),
        (Kind::Xhtml, "<", x.as_str()),
        (Kind::Dash, "<BaseURL>", x.as_str()),
        (Kind::Hls, "", x.as_str()),
    ];
    let limits = Limits { html_bytes_max: 1 << 20, ..Limits::default() };
    for (kind, start, piece) in starts {
        // All that a limit lets be held, and a piece.
        let held_max = (2 << 20) + piece.len() * 4;
        let (all, most, _) =
            flood(kind, start, piece.as_bytes(), FLOOD_BYTES / piece.len().max(64), limits.clone());
        assert!(all >= FLOOD_BYTES / piece.len().max(64) * piece.len(), "{kind:?} {start} lost bytes: {all}");
        assert!(most <= held_max, "{kind:?} {start} held {most}");
    }
}

#[test]
fn a_hundred_megabytes_need_no_more_memory_than_one() {
    let piece = "<p><a href=/a?b&amp;c>x</a> <img src=d srcset='e 1x, f 2x' style='b:url(c)'>text</p><script>location</script>\n"
        .repeat(600);
    // Without optimisation that would take minutes.
    let times = if cfg!(debug_assertions) { 40 } else { (100 << 20) / piece.len() };
    let mut rewriter = Rewriter::new(settings(Kind::Html)).unwrap();
    let mut out = Vec::new();
    let mut capacity = 0;
    for number in 0..times {
        out.clear();
        rewriter.feed(piece.as_bytes(), &mut out).unwrap();
        if number == 10 {
            capacity = out.capacity();
        }
        // What is written for a piece is bounded by the piece, whatever came before.
        assert!(number < 10 || out.capacity() <= capacity, "{number}: {} > {capacity}", out.capacity());
    }
    rewriter.finish(&mut out).unwrap();
    assert!(!rewriter.is_cut());
}

#[test]
fn games_with_end_tags_break_nothing_out() {
    let page = "<script>var a = '</scr' + 'ipt>'; location</script><script><!-- <script> </script>\n--> x\nlocation</script><p>";
    let out = String::from_utf8(rewrite(Settings::new(place(), Kind::Html), page.as_bytes())).unwrap();
    assert_eq!(out.matches("__varve_location").count(), 2, "{out}");
    // What a base or an address holds cannot end the script that it is written into.
    let page = "<base href='/</script><script>alert(1)//'><script type=module>import './x'</script>";
    let out = String::from_utf8(rewrite(Settings::new(place(), Kind::Html), page.as_bytes())).unwrap();
    assert_eq!(out.matches("</script>").count(), 1, "{out}");
    let page = "<script type=importmap>{\"imports\":{\"a\":\"./<\\/script>\"}}</script>";
    let out = String::from_utf8(rewrite(Settings::new(place(), Kind::Html), page.as_bytes())).unwrap();
    assert_eq!(out.matches("</script>").count(), 1, "{out}");
}

#[test]
fn odd_bytes_pass() {
    let odd: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    for kind in
        [Kind::Html, Kind::Xhtml, Kind::Css, Kind::Script, Kind::Json, Kind::Xml, Kind::Hls, Kind::Dash]
    {
        let out = rewrite(Settings::new(place(), kind), &odd);
        assert!(out.len() >= odd.len(), "{kind:?}");
    }
    let zeros = rewrite(Settings::new(place(), Kind::Html), b"<a\0 href=\0/b\0><\0p>\0</p>");
    assert!(zeros.windows(4).any(|window| window == b"</p>"));
}
