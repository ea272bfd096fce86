//! Parts of payloads, short and long, plain and coded.

use crate::world::{Server, World, answer, page};

fn long() -> Vec<u8> {
    (0..700_000_u32).map(|at| (at % 251) as u8).collect()
}

#[track_caller]
fn check(server: &Server, url: &str, range: &str, whole: &[u8], expected: std::ops::Range<usize>) {
    let answer = server.get_with(&format!("/web/20260101000000oe_/{url}"), &[("Range", range)]);
    assert_eq!(answer.status, 206, "{url} {range}");
    assert_eq!(
        answer.expect("content-range"),
        format!("bytes {}-{}/{}", expected.start, expected.end - 1, whole.len())
    );
    assert_eq!(answer.expect("content-length"), expected.len().to_string());
    assert!(answer.body == whole[expected], "{url} {range}");
}

#[test]
fn ranges_of_what_is_not_rewritten() {
    let long = long();
    let mut chunked = Vec::new();
    for piece in long.chunks(10_000) {
        chunked.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        chunked.extend_from_slice(piece);
        chunked.extend_from_slice(b"\r\n");
    }
    chunked.extend_from_slice(b"0\r\n\r\n");
    let world = World::of(&[
        page("http://a.org/short", "20260101000000", "video/mp4", &long[..1000]),
        page("http://a.org/long", "20260101000000", "video/mp4", &long),
        answer(
            "http://a.org/chunked",
            "20260101000000",
            "200 OK",
            "Content-Type: video/mp4\r\nTransfer-Encoding: chunked\r\n",
            &chunked,
        ),
        answer(
            "http://a.org/liar",
            "20260101000000",
            "200 OK",
            "Content-Type: video/mp4\r\nContent-Length: 5\r\n",
            &long,
        ),
    ]);
    let server = world.serve();
    check(&server, "http://a.org/short", "bytes=10-19", &long[..1000], 10..20);
    for url in ["http://a.org/long", "http://a.org/chunked", "http://a.org/liar"] {
        check(&server, url, "bytes=0-", &long, 0..700_000);
        check(&server, url, "bytes=300000-499999", &long, 300_000..500_000);
        check(&server, url, "bytes=-5", &long, 699_995..700_000);
        let beyond = server.get_with(&format!("/web/20260101000000oe_/{url}"), &[("Range", "bytes=700000-")]);
        assert_eq!((beyond.status, beyond.expect("content-range")), (416, "bytes */700000"), "{url}");
        let whole = server.get(&format!("/web/20260101000000oe_/{url}"));
        assert_eq!((whole.status, whole.expect("accept-ranges")), (200, "bytes"), "{url}");
        assert!(whole.body == long, "{url}");
    }
    assert_eq!(
        server.get("/web/20260101000000oe_/http://a.org/liar").expect("content-length"),
        "700000",
        "what the server claimed does not matter"
    );
}
