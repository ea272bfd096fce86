//! What headers become.

use super::*;
use crate::Modifier;

#[track_caller]
fn check(name: &str, value: &str, expected: &str) {
    let place = Place::new("/web/", "2026", Modifier::Image, "http://example.org/a/b.html").unwrap();
    let head = headers(&place, &[(name.to_owned(), value.to_owned())]);
    let lines: Vec<String> = head.into_iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(lines.join("\n"), expected, "{name}: {value}");
}

#[test]
fn addresses_lead_into_the_archive() {
    check("Location", "/c", "Location: /web/2026im_/http://example.org/c");
    check("content-location", "c", "content-location: /web/2026im_/http://example.org/a/c");
    check("Refresh", "5; url=/c", "Refresh: 5; url=/web/2026if_/http://example.org/c");
}

#[test]
fn links_know_what_they_are_for() {
    check(
        "Link",
        "</c.css>; rel=\"preload\"; as=style, <http://b.example/d>;rel=next;title=\"a, <b>\"",
        "Link: </web/2026cs_/http://example.org/c.css>; rel=\"preload\"; as=style, \
         </web/2026if_/http://b.example/d>;rel=next;title=\"a, <b>\"",
    );
    check("Link", "<http://b.example/; rel=next", "Link: <http://b.example/; rel=next");
}

#[test]
fn what_acts_on_the_whole_is_renamed() {
    check("Content-Security-Policy", "x", "X-Archive-Orig-Content-Security-Policy: x");
    check("transfer-encoding", "chunked", "X-Archive-Orig-transfer-encoding: chunked");
    check("Access-Control-Allow-Origin", "*", "X-Archive-Orig-Access-Control-Allow-Origin: *");
    check("X-Frame-Options", "DENY", "X-Archive-Orig-X-Frame-Options: DENY");
}

#[test]
fn everything_else_passes() {
    check("Content-Type", "text/html", "Content-Type: text/html");
    check("Content-Length", "5", "Content-Length: 5");
    check("X-Own", "y", "X-Own: y");
}

#[test]
fn cookies_stay_where_they_were_set() {
    let path = "/web/2026im_/http://example.org";
    check("Set-Cookie", "a=b; Path=/c/; HttpOnly", &format!("Set-Cookie: a=b; HttpOnly; Path={path}/c/"));
    check("Set-Cookie", "a=b; Domain=.example.org; Path=/c; Secure", "Set-Cookie: a=b; Path=/web/");
    check("Set-Cookie", "a=b; Max-Age=5; Expires=Wed, 13 Jan 2021 22:23:01 GMT", "Set-Cookie: a=b");
    check("Set-Cookie", "a=b; SameSite=None; Secure", "Set-Cookie: a=b");
    check("Set-Cookie", "a=b; SameSite=Lax", "Set-Cookie: a=b; SameSite=Lax");
    check("Set-Cookie", "", "");
}
