//! Digests that servers send along: `Content-MD5` (RFC 1864), `Digest` (RFC 3230), `Repr-Digest` and `Content-Digest` (RFC 9530).
//!
//! All are of the content with its coding and without chunk framing. They are held against what came, and believed only where they were
//! right before.

use std::io;

use data_encoding::{BASE64, BASE64_NOPAD, HEXLOWER_PERMISSIVE};
use fetch::Exchange;
use warc::{Algorithm, Digest, Hasher, HttpHead};

/// One digest that was sent along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    algorithm: Algorithm,
    value: Vec<u8>,
}

/// The digests in a head; what cannot be understood is none.
pub(crate) fn of(head: &HttpHead) -> Vec<Claim> {
    let mut claims = Vec::new();
    if let Some(value) = head.text("content-md5") {
        claims.extend(claim(Algorithm::Md5, &value));
    }
    for name in ["digest", "repr-digest", "content-digest"] {
        let value = head.text(name).unwrap_or_default();
        for part in value.split(',').take(10) {
            let Some((algorithm, value)) = part.trim().split_once('=') else { continue };
            let algorithm = match algorithm.trim().to_ascii_lowercase().as_str() {
                "md5" => Algorithm::Md5,
                "sha" => Algorithm::Sha1,
                "sha-256" => Algorithm::Sha256,
                "sha-512" => Algorithm::Sha512,
                _ => continue,
            };
            // Structured fields have bytes between colons.
            claims.extend(claim(algorithm, value.trim().trim_matches(':')));
        }
    }
    claims.sort_by_key(|claim| (claim.algorithm.name(), claim.value.clone()));
    claims.dedup();
    claims
}

/// All of them in one text, to be compared with that of another answer.
pub(crate) fn text(claims: &[Claim]) -> Option<String> {
    let words: Vec<String> = claims
        .iter()
        .map(|claim| format!("{}={}", claim.algorithm.name(), BASE64.encode(&claim.value)))
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Whether all of them are right. Those that were computed on the way cost nothing.
pub(crate) fn are_right(claims: &[Claim], exchange: &Exchange) -> io::Result<bool> {
    for Claim { algorithm, value } in claims {
        let known = exchange.digests.entity.iter().find(|digest| digest.algorithm() == *algorithm);
        let found = match known {
            Some(digest) => digest.clone(),
            None => computed(*algorithm, exchange)?,
        };
        if found.value() != value {
            return Ok(false);
        }
    }
    Ok(true)
}

fn computed(algorithm: Algorithm, exchange: &Exchange) -> io::Result<Digest> {
    let mut entity = exchange.entity();
    let mut hasher = Hasher::new(algorithm);
    loop {
        let piece = entity.fill_buf()?;
        if piece.is_empty() {
            return Ok(hasher.finish());
        }
        hasher.update(piece);
        let count = piece.len();
        entity.consume(count);
    }
}

/// In base64, or in hex as some write it.
fn claim(algorithm: Algorithm, text: &str) -> Option<Claim> {
    let text = text.trim().trim_matches('"');
    let is_of_length = |value: &Vec<u8>| value.len() == algorithm.length();
    let hex = || HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok().filter(is_of_length);
    let base64 = BASE64.decode(text.as_bytes()).or_else(|_| BASE64_NOPAD.decode(text.as_bytes()));
    let value = base64.ok().filter(is_of_length).or_else(hex)?;
    Some(Claim { algorithm, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fields: &str, expect: Option<&str>) {
        let (head, _) = HttpHead::parse(format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n").as_bytes()).unwrap();
        assert_eq!(text(&of(&head)).as_deref(), expect, "{fields}");
    }

    #[test]
    fn digests_in_every_spelling() {
        let md5 = Some("md5=kAFQmDzST7DWlj99KOF/cg==");
        check("Content-MD5: kAFQmDzST7DWlj99KOF/cg==", md5);
        check("Content-MD5: 900150983cd24fb0d6963f7d28e17f72", md5);
        check("Digest: MD5=kAFQmDzST7DWlj99KOF/cg==, crc32=abc", md5);
        check("Digest: md5=kAFQmDzST7DWlj99KOF/cg==\r\nContent-MD5: kAFQmDzST7DWlj99KOF/cg==", md5);
        let sha256 = Some("sha256=ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
        check("Repr-Digest: sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:", sha256);
        check("Content-Digest: sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:", sha256);
        check("Content-MD5: nonsense", None);
        check("Digest: ,,=,sha-256=", None);
        check("X: y", None);
    }
}
