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
        Digesting {
            payload: hashers(&wanted.payload),
            block: hashers(&wanted.block),
            entity: None,
            wanted: wanted.clone(),
        }
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
        let block = finish(self.block);
        if !has_payload {
            return Digests { block, ..Digests::default() };
        }
        let payload = finish(self.payload);
        let entity = match self.entity {
            Some(entity) => finish(entity),
            None => of(&payload, &self.wanted.entity),
        };
        Digests { payload: of(&payload, &self.wanted.payload), entity, block }
    }
}
