//! What is put into a page, and where.

use rewrite::{Kind, Settings};

use crate::{pieces, place};

fn settings() -> Settings {
    let mut settings = Settings::new(place(), Kind::Html);
    (settings.head, settings.foot) = (b"<H>".to_vec(), b"<F>".to_vec());
    settings
}

#[track_caller]
fn check(html: &str, expected: &str) {
    for length in 1..=html.len().max(1) {
        let out = pieces(settings(), html.as_bytes(), length);
        assert_eq!(String::from_utf8(out).unwrap(), expected, "{html} in pieces of {length}");
    }
}

#[test]
fn the_head_comes_first_in_the_head() {
    check(
        "<!doctype html><html><head><title>x</title></head><body>y</body></html>",
        "<!doctype html><html><head><H><title>x</title></head><body>y<F></body></html>",
    );
    check("<head><script>1</script></head>", "<head><H><script>1</script></head><F>");
}

#[test]
fn where_there_is_no_head_it_comes_before_what_opens_one() {
    check("<!doctype html>\n<!-- c --><title>x</title>", "<!doctype html>\n<!-- c --><H><title>x</title><F>");
    check("<html><body>x</body></html>", "<html><H><body>x<F></body></html>");
    check("<p>x", "<H><p>x<F>");
    check("<!doctype html> text <b>", "<!doctype html> <H>text <b><F>");
    check("\u{feff}<!doctype html><p>", "\u{feff}<!doctype html><H><p><F>");
}

#[test]
fn pages_of_frames_have_no_foot() {
    check(
        "<html><frameset cols=50><frame src='#a'></frameset></html>",
        "<html><H><frameset cols=50><frame src='#a'></frameset></html>",
    );
    check("<head></head><frameset></frameset>", "<head><H></head><frameset></frameset>");
}

#[test]
fn the_foot_comes_at_the_end_of_the_body_once() {
    check("<body>a</body>b</body>c", "<H><body>a<F></body>b</body>c");
    check("<body>a", "<H><body>a<F>");
    check("<script>'</body>'</script>", "<H><script>'</body>'</script><F>");
}

#[test]
fn what_is_no_page_gets_nothing() {
    for text in ["{\"a\": \"b\"}", " [1]"] {
        check(text, text);
    }
    // An empty page gets the head, because scripts may fill it.
    for text in ["", " \n", "<!-- x -->", "<!doctype html>"] {
        check(text, &format!("{text}<H>"));
    }
    check("<html></html>", "<html></html><H><F>");
}

#[test]
fn what_begins_like_data_and_holds_tags_is_a_page() {
    check("{{title}}<script>x</script>", "<H>{{title}}<script>x</script><F>");
    check(" [<b>", " <H>[<b><F>");
}

/// Beyond the limit nothing runs that has no head.
#[test]
fn documents_in_too_many_frames_are_empty() {
    let mut page = "<script>x</script>".to_owned();
    for _ in 0..5 {
        page = format!("<iframe srcdoc=\"{}\"></iframe>", page.replace('&', "&amp;").replace('"', "&quot;"));
    }
    let out = String::from_utf8(pieces(settings(), page.as_bytes(), page.len())).unwrap();
    assert!(!out.contains("script") && out.contains("srcdoc"), "{out}");
}

#[test]
fn documents_in_frames_get_the_head_too() {
    check("<p><iframe srcdoc='x'></iframe>", "<H><p><iframe srcdoc=\"&lt;H>x\"></iframe><F>");
}
