//! Templates that are right, wrong and hostile.

use proptest::prelude::*;

use super::*;
use crate::news::{Bulletin, Links, News, NewsKind};

fn bulletin(news: Vec<News>) -> Bulletin {
    Bulletin { archive: "city".to_owned(), owner: "ann".to_owned(), news }
}

fn piece(url: &str, title: &str, kind: NewsKind) -> News {
    let url = format!("https://harbour.example.org/{url}");
    News { url, title: title.to_owned(), kind, summary: "3 words".to_owned(), ..News::default() }
}

#[test]
fn the_built_in_ones_are_right() {
    let templates = Templates::new(Templates::SUBJECT, Templates::TEXT, Templates::HTML).unwrap();
    let parts = templates.render(&sample::bulletins()[2]).unwrap();
    assert_eq!(Templates::default().render(&sample::bulletins()[2]).unwrap(), parts);
    assert_eq!(parts.subject, "Harbour timetable changed (3 words)");
    let text = "Harbour timetable\n\
        https://harbour.example.org/timetable\n\
        Changed 18 November 2026, 03:00 UTC: 3 words\n\
        \n\
        -08:40\n\
        +08:45\n\
        \n\
        Difference: https://archive.example.org/difference\n\
        Before:     https://archive.example.org/before (17 November 2026, 03:00 UTC)\n\
        After:      https://archive.example.org/after (18 November 2026, 03:00 UTC)\n\
        All:        https://archive.example.org/page\n\
        \n\
        -- \n\
        Watched by ann in city\n";
    assert_eq!(parts.text, text);
    let html = parts.html.unwrap();
    assert!(html.contains(
        "<h1 style=\"margin:0;font-size:21px;line-height:1.3;font-weight:600\">Harbour timetable</h1>"
    ));
    assert!(html.contains("text-decoration:line-through\">08:40</del>"), "{html}");
    // Nothing is fetched, and nothing runs.
    assert!(!html.contains("<style") && !html.contains("src=") && !html.contains("url("), "{html}");
}

#[test]
fn a_subject_says_what_happened() {
    use NewsKind::{Back, Changed, Gone};
    for (news, subject) in [
        (vec![("a", "Timetable", Changed)], "Timetable changed (3 words)"),
        (vec![("a", "", Changed)], "https://harbour.example.org/a changed (3 words)"),
        (vec![("a", "Timetable", Gone)], "Timetable is gone"),
        (vec![("a", "Timetable", Back)], "Timetable is back"),
        (vec![("a", "Timetable", Changed), ("a", "Timetable", Changed)], "Timetable changed 2 times"),
        (vec![("a", "Timetable", Changed), ("a", "Timetable", Gone)], "Timetable is gone"),
        (
            vec![("a", "", Changed), ("b", "", Changed), ("c", "", Changed), ("d", "", Changed)],
            "4 pages changed",
        ),
        (vec![("a", "", Gone), ("b", "", Gone)], "2 pages are gone"),
        (vec![("a", "", Back), ("b", "", Back)], "2 pages are back"),
        (
            vec![("a", "", Changed), ("b", "", Changed), ("c", "", Gone), ("d", "", Back)],
            "4 pages: 2 changed, 1 gone, 1 back",
        ),
        (vec![("a", "", Gone), ("b", "", Back)], "2 pages: 1 gone, 1 back"),
        (vec![("a", "", Changed), ("b", "", Back)], "2 pages: 1 changed, 1 back"),
    ] {
        let news = news.into_iter().map(|(url, title, kind)| piece(url, title, kind)).collect();
        assert_eq!(Templates::default().render(&bulletin(news)).unwrap().subject, subject);
    }
}

#[track_caller]
fn check(source: &str, complaint: &str) {
    let error = Templates::new(Templates::SUBJECT, source, Templates::HTML).unwrap_err();
    assert_eq!(error.to_string(), format!("the template for the text, {complaint}"), "{source}");
    assert!(error.is_final());
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    check("a\n{{ nwes|length }}", "line 2: there is no `nwes`");
    check("{% for item in news %}\n{{ item.titel }}{% endfor %}", "line 2: there is no `item.titel`");
    check("{% for item in news %}\n", "line 1: unexpected end of input, expected end of block");
    check("{{ owner", "line 1: unexpected end of input, expected end of variable block");
    check("{{ owner }} {{ 'x }}", "line 1: unexpected end of string");
    check("{% endfor %}", "line 1: unknown statement endfor");
    check(
        "\n\n{% set x = 1 %}",
        "line 3: there is no statement `set`; there are elif, else, endfor, endif, for, if",
    );
    check(
        "{{ owner|shout }}",
        "line 1: there is no filter `shout`; there are date, default, first, kind, last, length, lines, lower, \
         marked, pages, trim, truncate, upper",
    );
    check(
        "{% if owner is odd %}{% endif %}",
        "line 1: there is no test `odd`; there are defined, startingwith",
    );
    check("{{ news }}", "line 1: a list or a table is no text");
    check("{{ news|upper }}", "line 1: a text is wanted");
    check("{{ owner|first }}", "line 1: a list is wanted");
    check(&"x".repeat(100_000), "line 1: it is longer than 65536 bytes");
}

#[test]
fn what_could_grow_without_end_cannot_be_written() {
    for (source, what) in [
        ("{{ owner ~ owner }}", "`~`"),
        ("{{ owner + owner }}", "`+`"),
        ("{{ 'x' * 1000000000 }}", "`*`"),
        ("{{ 9 ** 9 }}", "`*`"),
        ("{% for a in [owner, owner] %}{% endfor %}", "`[`"),
        ("{% for a in {'a': owner} %}{% endfor %}", "`{`"),
        ("{% for a in (owner, owner) %}{% endfor %}", "lists"),
        ("{% for a in owner, owner %}{% endfor %}", "lists"),
        ("{{ owner|default((owner, owner)) }}", "lists"),
    ] {
        check(source, &format!("line 1: {what} cannot be used here; there are `for`, `if` and filters"));
    }
    for source in [
        "{% raw %}{{ ' {% endraw %}{{ owner ~ owner }}",
        "{% macro m() %}{% endmacro %}",
        "{% include 'letter.txt' %}",
        "{% autoescape false %}{% endautoescape %}",
        "{% for a in news recursive %}{{ loop(news) }}{% endfor %}",
        "{{ owner|safe }}",
        "{% for i in range(1000000) %}{% endfor %}",
        // Where a sign ends is not where it seems to.
        "{{ (}} {{ owner ~ owner }}",
        "{# #} {{ '#}' ~ owner }}",
        "{{ '}}' ~ owner }}",
        "{{ \"\\\"}}\" ~ owner }}",
        "{%- if '%}' ~ owner %}{% endif %}",
        "{#-#}{{ owner ~ owner }}{# #}",
        "{{+ owner ~ owner +}}",
    ] {
        assert!(Templates::new(source, "", "").is_err(), "{source}");
    }
    // And these are as good as any.
    for source in [
        // The guide's own example.
        "{{ archive }}: {% if news|pages == 1 %}{{ (news|first).title or (news|first).url }}{% else %}{{ news|pages }} pages{% endif %}",
        "{{- owner -}} + * ~ [x] {# ~ + #} {{ '~+*[{' }} { } {{ 7 - 3 }} {{ owner|default('a', ) }}{{ (owner) }}",
        "{% for item in news|kind('changed') if item.title %}{{ loop.index }}{% else %}-{% endfor %}",
        "{% if owner in (owner) and not owner is not defined %}{{ owner|truncate(3)|upper }}{% endif %}",
    ] {
        Templates::new(source, "", "").unwrap();
    }
}

#[test]
fn a_template_ends_however_much_it_wants() {
    let loops =
        |inside: &str| format!("{}{inside}{}", "{% for a in news %}".repeat(20), "{% endfor %}".repeat(20));
    let error = Templates::new("", &loops(""), "").unwrap_err();
    assert_eq!(error.to_string(), "the template for the text, line 1: it takes too many steps");
    // What becomes too long is cut, or left out where that cannot be.
    let long = "{% for a in news %}".to_owned() + &"é".repeat(2000) + "{% endfor %}";
    let news: Vec<News> = (0..600).map(|number| piece(&number.to_string(), "", NewsKind::Changed)).collect();
    let parts = Templates::new(&long, &long, &long).unwrap().render(&bulletin(news)).unwrap();
    assert_eq!((parts.subject.chars().count(), parts.html), (LETTER_SUBJECT_MAX + 1, None));
    assert!(parts.text.len() < TEXT_MAX + 100 && parts.text.ends_with("The rest is cut off.\n"));
}

/// A letter that tells of as much as there may be.
#[track_caller]
fn check_much(text: &str, html: &str) {
    let news = |number: usize| News {
        text: text.to_owned(),
        html: html.to_owned(),
        time: "2026-11-18T03:00:00Z".to_owned(),
        links: Links { page: "https://archive.example.org/".to_owned(), ..Links::default() },
        ..piece(&number.to_string(), &"t".repeat(200), NewsKind::Changed)
    };
    let parts = Templates::default().render(&bulletin((0..600).map(news).collect())).unwrap();
    assert_eq!(parts.subject, "500 pages changed");
    let html = parts.html.unwrap();
    for number in 0..500 {
        assert!(html.contains(&format!("https://harbour.example.org/{number}</a>")), "{number}");
    }
    assert!(html.contains("And 100 more.") && html.ends_with("</html>\n"));
}

#[test]
fn as_much_news_as_there_may_be_fits_into_a_letter() {
    check_much(&format!("+{}\n", "€".repeat(10)).repeat(2000), &format!("<ins>{}</ins>", "€".repeat(20_000)));
    check_much(&"+\n".repeat(150), "");
    check_much(&"+\n".repeat(150), &"<ins></ins>".repeat(100));
    check_much("", "");
}

#[test]
fn only_links_to_the_web_can_be_clicked_on() {
    for link in
        ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", " https://a/", "//a/", "ann"]
    {
        let links = Links {
            page: link.to_owned(),
            difference: link.to_owned(),
            before: link.to_owned(),
            after: link.to_owned(),
        };
        let news = News { links, ..piece("a", "t", NewsKind::Changed) };
        let html = Templates::default().render(&bulletin(vec![news])).unwrap().html.unwrap();
        assert_eq!(html.matches("<a ").count(), 1, "{link}: {html}");
    }
}

/// The tags of a page and the names of their attributes; whether every link is one to the web.
fn tags(html: &str) -> Vec<String> {
    let mut tags = Vec::new();
    for token in html5gum::Tokenizer::new(html).flatten() {
        if let html5gum::Token::StartTag(tag) = token {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let mut names = vec![text(&tag.name)];
            for (name, value) in &tag.attributes {
                names.push(text(name));
                assert!(text(name) != "href" || text(value).starts_with("https://"), "{html}");
            }
            tags.push(names.join(" "));
        }
    }
    tags
}

proptest! {
    #[test]
    fn no_text_breaks_out_of_the_html(
        hostile in "(?s:.{0,40})|[<>\"'&;=/! a-z\\-]{0,60}|(</(p|h1|div|title|style)>)?<(script|img src=x onerror=y|!--)[>\"' ]{0,3}",
    ) {
        let news = |text: &str, link: &str| News {
            title: format!("t{text}"), url: format!("https://h.example/{text}"), time: format!("t{text}"), before: format!("t{text}"),
            after: format!("t{text}"), summary: format!("t{text}"), text: format!(" {}\n+{}", text.replace(['\r', '\n'], ""), text.replace(['\r', '\n'], "")),
            links: Links { page: format!("https://a.example/{link}"), difference: format!("https://a.example/{link}"), before: String::new(), after: format!("https://a.example/{link}") },
            ..News::default()
        };
        let with = |text: &str| Bulletin { archive: format!("a{text}"), owner: format!("o{text}"), news: vec![news(text, text)] };
        let templates = Templates::default();
        let parts = templates.render(&with(&hostile)).unwrap();
        let tame = templates.render(&with("tame")).unwrap();
        prop_assert_eq!(tags(parts.html.as_deref().unwrap()), tags(tame.html.as_deref().unwrap()));
        prop_assert!(!parts.subject.contains(char::is_control));
        prop_assert_eq!(parts.text.lines().count(), tame.text.lines().count());
    }

    #[test]
    fn any_template_is_refused_or_ends(
        words in prop::collection::vec(prop::sample::select(vec![
            "{{", "}}", "{%", "%}", "{#", "#}", "for", "in", "endfor", "if", "elif", "else", "endif", "not", "is", "defined", "news", "item", "owner",
            "loop", ".", "last", "|", "first", "kind", "lines", "length", "(", ")", ",", "'", "\"", "\\", "-", "+", "~", "*", "[", "]", "{", "}", "1", "=",
            "<", "%", " ", "\n", "é", "raw", "endraw", "set", "x", "{% for item in news %}", "{% endfor %}", "{{ item.text }}", "{% if item.title %}", "{% endif %}",
        ]), 0..40), glue in "[ ]?",
    ) {
        let source = words.join(&glue);
        if let Ok(templates) = Templates::new(&source, &source, &source) {
            let news = (0..50).map(|number| News { text: "+x\n".repeat(1000), ..piece(&number.to_string(), "t", NewsKind::Gone) });
            let _ = templates.render(&bulletin(news.collect()));
        }
    }
}
