//! Where the input is split changes nothing.

use extract::Limits;
use extract::html::{Page, Reader, Wanted};

use super::{read, read_within};

/// A page with something of everything, and every place in it where a reader may stumble.
pub(crate) const PAGE: &str = r##"<!DOCTYPE html PUBLIC "a>b"><html lang=en><!-- a -- b --!><!--><!---><title>T &amp; é</title>
<base href='/b/'><meta name=description content="D &quot;x&quot;"><link rel=stylesheet href=a.css>
<!--[if IE]><script src=ie.js></script><![endif]--><script>if (a<b) "<!-- <script> </script> -->"; x = "http://example.org/y.html"</script>
<style>a { background: url(bg.png) }</style><body class="page content"><nav><a href=/n>Nav</a></nav>
<p>One &notin; &#x41; &copy &am žluť <a href='x?a=1&amp;b=2' title=t>link <img src=i.png alt="al t"></a>
<pre> a
  b</pre><svg><title>s</title><![CDATA[ ]] ]]></svg><textarea></textare></textarea><div hidden>no</div>
<h2 style="background:url('h.png')" onclick="go('http://example.org/z.html')">Head</h2></p x="y>z"><br/>
<iframe srcdoc="<a href=in>in</a>"></iframe><noscript><img data-src=lazy.jpg></noscript></body>tail &lt"##;

fn in_pieces(html: &str, bytes: usize, limits: &Limits) -> Page {
    let mut reader = Reader::new(Wanted::ALL, limits);
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rest.ceil_char_boundary(bytes));
        reader.write(piece);
        rest = behind;
    }
    reader.finish()
}

#[test]
fn pieces_of_any_size_give_the_same_page() {
    let whole = read(PAGE);
    for bytes in 1..200 {
        assert_eq!(in_pieces(PAGE, bytes, &Limits::default()), whole, "pieces of {bytes} bytes");
    }
}

#[test]
fn two_pieces_split_anywhere_give_the_same_page() {
    let whole = read(PAGE);
    for at in (0..PAGE.len()).filter(|at| PAGE.is_char_boundary(*at)) {
        let (one, two) = PAGE.split_at(at);
        let mut reader = Reader::new(Wanted::ALL, &Limits::default());
        reader.write(one);
        reader.write(two);
        assert_eq!(reader.finish(), whole, "split at {at}");
    }
}

#[test]
fn limits_cut_at_the_same_place() {
    let mut limits = Limits::default();
    (limits.tag_bytes_max, limits.script_bytes_max, limits.text_bytes_max) = (64, 20, 50);
    (limits.phrase_bytes_max, limits.attributes_max, limits.depth_max) = (7, 2, 3);
    let whole = read_within(PAGE, &limits);
    for bytes in 1..100 {
        assert_eq!(in_pieces(PAGE, bytes, &limits), whole, "pieces of {bytes} bytes");
    }
}
