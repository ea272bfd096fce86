//! Where the files are listed, and where they are read.

use std::collections::VecDeque;
use std::iter;
use std::sync::Arc;

use ::batch::Origin;
use anyhow::anyhow;
use archive::Archive;
use catalogue::Catalogue;
use store::replica::Replica;
use store::{Sealed, Store};
use supervisor::{Kept, OWN, hinted};

use super::choice::Ready;
use crate::hint::with_hint;
use crate::session::Session;
use crate::usage::wrong;

/// Files that are asked for at once.
const PAGE: u32 = 1000;

/// A place with files.
pub(super) enum Place {
    /// The archive's own store, which knows what it has.
    Own(Box<Archive>),
    /// A replica; what it should have is in the catalogue.
    Replica(Box<Kept>, Arc<dyn Replica>),
}

impl Place {
    /// The place of this name; the archive's own if none is named.
    pub(super) fn open(name: Option<&str>, session: &Session) -> anyhow::Result<Place> {
        let Some(name) = name.filter(|name| *name != OWN) else {
            return Ok(Place::Own(Box::new(session.archive()?)));
        };
        let kept = session.kept()?;
        let Some(place) = kept.vault.places().iter().find(|place| place.name == name) else {
            return Err(wrong(hinted(vault::Error::NoReplica(name.to_owned()))));
        };
        let replica = place.replica.clone();
        if !replica.is_full() {
            let error = wrong(anyhow!("replica `{name}` has only checksums of files"));
            return Err(with_hint(error, "`varve vault replicas` lists others"));
        }
        Ok(Place::Replica(Box::new(kept), replica))
    }

    pub(super) fn archive(&self) -> &Archive {
        match self {
            Place::Own(archive) => archive,
            Place::Replica(kept, _) => &kept.archive,
        }
    }

    /// Where they are read.
    pub(super) fn origin(&self) -> Origin {
        match self {
            Place::Own(archive) => Origin::store(archive.store().clone()),
            Place::Replica(_, replica) => Origin::replica(replica.clone()),
        }
    }

    /// The files that are meant, in order. What cannot be listed comes as an error in its place.
    pub(super) fn files<'a>(&'a self, chosen: &'a Ready) -> anyhow::Result<Files<'a>> {
        Ok(match self {
            Place::Own(archive) => Box::new(in_store(archive.store(), chosen)?),
            Place::Replica(kept, _) => Box::new(in_catalogue(kept.vault.catalogue(), chosen)),
        })
    }
}

type Files<'a> = Box<dyn Iterator<Item = anyhow::Result<Sealed>> + Send + 'a>;

fn in_store<'a>(
    store: &Store,
    chosen: &'a Ready,
) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Sealed>> + Send + 'a> {
    let store = store.clone();
    // Lists of jobs that are not wanted need not be read.
    let mut jobs: Vec<String> = store.jobs()?.into_iter().filter(|job| chosen.wants_job(job)).collect();
    // In the order of whole names, as the catalogue has them: `job-2/…` comes before `job/…`.
    jobs.sort_unstable_by(|one, other| one.bytes().chain(*b"/").cmp(other.bytes().chain(*b"/")));
    let files = jobs.into_iter().flat_map(move |job| match store.files_of(&job) {
        Ok(files) => files.into_iter().map(Ok).collect::<Vec<_>>(),
        Err(error) => vec![Err(error.into())],
    });
    Ok(files.filter(|file| file.as_ref().map_or(true, |file| chosen.wants_file(&file.name))))
}

fn in_catalogue<'a>(
    catalogue: &'a Catalogue,
    chosen: &'a Ready,
) -> impl Iterator<Item = anyhow::Result<Sealed>> + Send + 'a {
    let (mut page, mut behind, mut is_over) = (VecDeque::new(), String::new(), false);
    let files = iter::from_fn(move || {
        if page.is_empty() && !is_over {
            match catalogue.files(&behind, PAGE) {
                Ok(files) => page.extend(files),
                Err(error) => {
                    is_over = true;
                    return Some(Err(error.into()));
                }
            }
        }
        let file = page.pop_front()?;
        behind.clone_from(&file.name);
        Some(Ok(Sealed { name: file.name, bytes: file.bytes, sha256: file.sha256 }))
    });
    let is_meant = |file: &Sealed| {
        let job = file.name.split_once('/').map_or("", |(job, _)| job);
        chosen.wants_job(job) && chosen.wants_file(&file.name)
    };
    files.filter(move |file| file.as_ref().map_or(true, is_meant))
}
