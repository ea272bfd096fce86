//! Computes the digests of a response while it arrives.

use warc::{Algorithm, Digest, Hasher};

use crate::exchange::Digests;
use crate::settings::Wanted;

/// The hashers of one response.
#[derive(Debug)]
pub(crate) struct Digesting {
    wanted: Wanted,
    /// Of the body as sent: those wanted of it, and, unless it comes in chunks, those wanted of its content.
    payload: Vec<(Algorithm, Hasher)>,
    entity: Option<Vec<(Algorithm, Hasher)>>,
    block: Vec<(Algorithm, Hasher)>,
}

fn hashers(algorithms: &[Algorithm]) -> Vec<(Algorithm, Hasher)> {
    algorithms.iter().map(|algorithm| (*algorithm, Hasher::new(*algorithm))).collect()
}

fn update(hashers: &mut [(Algorithm, Hasher)], bytes: &[u8]) {
    for (_, hasher) in hashers {
        hasher.update(bytes);
    }
}

impl Digesting {
    pub(crate) fn new(wanted: &Wanted) -> Digesting {
        let (payload, block) = (hashers(&wanted.payload), hashers(&wanted.block));
        Digesting { wanted: wanted.clone(), payload, entity: None, block }
    }

    /// The head has come: whether the body comes in chunks is known.
    pub(crate) fn begin_body(&mut self, is_chunked: bool) {
        if is_chunked {
            self.entity = Some(hashers(&self.wanted.entity));
        } else {
            let further = self.wanted.entity.iter().filter(|wanted| !self.wanted.payload.contains(wanted));
            self.payload.extend(further.map(|algorithm| (*algorithm, Hasher::new(*algorithm))));
        }
    }

    /// Further bytes of the response, and how many of the first of them are head.
    pub(crate) fn update(&mut self, bytes: &[u8], of_head: usize) {
        update(&mut self.block, bytes);
        update(&mut self.payload, bytes.get(of_head..).unwrap_or_default());
    }

    /// Further content of a body that comes in chunks.
    pub(crate) fn content(&mut self, bytes: &[u8]) {
        if let Some(entity) = &mut self.entity {
            update(entity, bytes);
        }
    }

    /// The digests; those of the body only if there is one to speak of.
    pub(crate) fn finish(self, has_payload: bool) -> Digests {
        let finish = |hashers: Vec<(Algorithm, Hasher)>| -> Vec<Digest> {
            hashers.into_iter().map(|(_, hasher)| hasher.finish()).collect()
        };
        let of = |digests: &[Digest], wanted: &[Algorithm]| -> Vec<Digest> {
            let find = |algorithm: &Algorithm| digests.iter().find(|digest| digest.algorithm() == *algorithm);
            wanted.iter().filter_map(find).cloned().collect()
        };
        let (block, payload) = (finish(self.block), finish(self.payload));
        if !has_payload {
            return Digests { block, ..Digests::default() };
        }
        let entity = match self.entity {
            Some(entity) => finish(entity),
            None => of(&payload, &self.wanted.entity),
        };
        Digests { payload: of(&payload, &self.wanted.payload), entity, block }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";

    /// The digests of a response that comes in pieces of this size.
    fn digests(mut digesting: Digesting, body: &[u8], is_chunked: bool, size: usize) -> Digests {
        digesting.begin_body(is_chunked);
        let mut of_head = HEAD.len();
        for piece in [HEAD, body].concat().chunks(size) {
            digesting.update(piece, of_head.min(piece.len()));
            of_head -= of_head.min(piece.len());
        }
        digesting.content(b"content");
        digesting.finish(true)
    }

    /// However the response is cut, its digests are those of the whole.
    #[track_caller]
    fn check(payload: &[Algorithm], entity: &[Algorithm], block: &[Algorithm]) {
        let wanted = Wanted { payload: payload.to_vec(), entity: entity.to_vec(), block: block.to_vec() };
        let of = |algorithms: &[Algorithm], bytes: &[u8]| -> Vec<Digest> {
            algorithms.iter().map(|algorithm| Digest::of(*algorithm, bytes)).collect()
        };
        let bytes: Vec<u8> = (0..5000_u32).map(|at| (at * at / 7) as u8).collect();
        for body in [&bytes[..0], &bytes[..1], &bytes[..100], &bytes] {
            for is_chunked in [false, true] {
                let expected = Digests {
                    payload: of(payload, body),
                    entity: of(entity, if is_chunked { b"content" } else { body }),
                    block: of(block, &[HEAD, body].concat()),
                };
                for size in [1, 20, 64, 1000, 8192] {
                    let found = digests(Digesting::new(&wanted), body, is_chunked, size);
                    assert_eq!(found, expected, "pieces of {size}");
                }
            }
        }
    }

    #[test]
    fn the_digests_do_not_depend_on_the_pieces() {
        use Algorithm::{Blake3, Sha1, Sha256};
        check(&[Sha256], &[], &[Sha256]);
        check(&[Sha256], &[Sha256], &[Sha256]);
        check(&[Sha256], &[Blake3, Sha256], &[Sha256]);
        check(&[Sha256], &[], &[]);
        check(&[], &[], &[Sha256]);
        check(&[Sha1], &[Sha1], &[Sha1]);
        check(&[Sha256, Sha1], &[Sha1], &[Sha256]);
        check(&[Sha256], &[], &[Sha1, Sha256]);
    }

    #[test]
    fn without_a_body_there_is_a_digest_of_the_block_alone() {
        let wanted =
            Wanted { payload: vec![Algorithm::Sha256], entity: Vec::new(), block: vec![Algorithm::Sha256] };
        let mut digesting = Digesting::new(&wanted);
        digesting.update(HEAD, HEAD.len());
        let block = vec![Digest::of(Algorithm::Sha256, HEAD)];
        assert_eq!(digesting.finish(false), Digests { block, ..Digests::default() });
    }
}
