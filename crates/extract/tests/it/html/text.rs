//! What of a page is visible text, and how it runs.

use super::{read, read_within};

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(read(html).text, expected, "{html}");
}

#[test]
fn blocks_stand_on_lines_of_their_own() {
    check("<p>one <b>two</b>\n three<p>four<div>five</div>six", "one two three\nfour\nfive\nsix");
    check("a<br>b<hr>c", "a\nb\nc");
    check("<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>", "a\nb\nc\nd");
    check("<h1> a </h1>\n\n<p> b </p>", "a\nb");
}

#[test]
fn references_are_decoded() {
    check("a &amp; b &lt;c&gt; &eacute;&#233;&#xe9; &copy", "a & b <c> ééé ©");
    check("AT&T &unknown; &", "AT&T &unknown; &");
}

#[test]
fn preformatted_text_is_kept() {
    check("a<pre>\n b\r\n  c\n</pre>d", "a\n b\n  c\nd");
    check("<xmp><b> &amp;  x</xmp>", "<b> &amp;  x");
    check("<plaintext><b> x", "<b> x");
}

#[test]
fn what_is_not_shown_is_left_out() {
    check("a<script>b</script><style>c</style><template>d</template><noscript>e</noscript>f", "af");
    check("<title>t</title>a<textarea>b</textarea><svg><title>c</title><text>d</text></svg>e", "ae");
    check("a<div hidden>b<div>c</div>d</div>e", "a\ne");
    check("a <span aria-hidden=true>b<span>c</span>d</span> e", "a e");
    check("a<!-- b -->c<!d>e<?f?>g</ h>i", "acegi");
}

#[test]
fn odd_tags_are_text() {
    check("a < b <3 </> <", "a < b <3 <");
    check("a <b", "a");
}

#[test]
fn limits_hold_and_are_told() {
    let mut limits = extract::Limits::default();
    limits.text_bytes_max = 5;
    let page = read_within("<p>abc<p>déf", &limits);
    assert_eq!(page.text, "abc\nd");
    assert!(page.cut.text);

    let mut limits = extract::Limits::default();
    limits.depth_max = 4;
    let page = read_within(&("<div>".repeat(9) + "a"), &limits);
    assert_eq!(page.text, "a");
    assert!(page.cut.depth);
}
