//! pywb's sample archive, as collections of ours.

use std::path::Path;

use cdx::Reader;
use policy::RuleSet;

use crate::world::{Server, World};

/// Loads the sample: every file of it into the store, every line of its indexes into each of these collections.
pub(super) fn load(vectors: &Path, collections: &[&str]) -> World {
    let sample = vectors.join("01-warc-arc/pywb-sample_archive");
    let world = World::new();
    for entry in std::fs::read_dir(sample.join("warcs")).unwrap() {
        let path = entry.unwrap().path();
        let copy = world.folder.path().join(path.file_name().unwrap());
        std::fs::copy(&path, &copy).unwrap();
        world.archive.store().seal("sample", &copy).unwrap();
    }
    for collection in collections {
        let folder = if *collection == "pywb-cdxj" { "cdxj" } else { "cdx" };
        world.publish(collection, "sample", rows(&sample.join(folder)));
    }
    world
}

/// All captures of the indexes in a folder.
fn rows(folder: &Path) -> Vec<cdx::Capture<'static>> {
    let mut rows = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "gz") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let mut reader = Reader::new(bytes.as_slice());
        while let Some(row) = reader.next_capture() {
            let Ok(row) = row else { continue };
            let mut row = row.into_owned();
            row.filename = row.filename.map(|name| format!("sample/{name}").into());
            // As whoever reads the records would have it.
            row.digest = row
                .digest
                .map(|digest| if digest.contains(':') { digest } else { format!("sha1:{digest}").into() });
            rows.push(row);
        }
    }
    rows
}

/// The server that a test class of pywb had: which collections, who may see what.
pub(super) fn server(vectors: &Path, world: &World, context: &str, collection: &str) -> Server {
    let mut settings = world.settings();
    settings.user_header = Some("X-Pywb-Acl-User".to_owned());
    settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    settings.origin = Some("http://localhost:80".to_owned());
    if let Some(rules) = rules(vectors, context, collection) {
        settings.access_rules = RuleSet::parse_pywb(&rules).unwrap().into();
    }
    Server::start(settings)
}

/// What `pywb-configs/config_test_access.yaml` says of a collection, as lines of an access list.
fn rules(vectors: &Path, context: &str, collection: &str) -> Option<String> {
    if !context.contains("test_acl") && !context.contains("test_embargo") {
        return None;
    }
    let folder = vectors.join("01-warc-arc/pywb-sample_archive/access");
    let list = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let block = "*, - {\"access\": \"block\"}\n";
    Some(match collection {
        "pywb" => list("pywb.aclj") + "\n" + block,
        "pywb-acl-dir" => {
            let mut names: Vec<_> =
                std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            let lists: Vec<String> = names.iter().map(|name| list(&name.to_string_lossy()) + "\n").collect();
            lists.concat() + block
        }
        "pywb-wildcard-surt" => list("allow_all.aclj") + "\n" + block,
        "pywb-acl-before" => list("before.aclj") + "\n" + block,
        "pywb-acl-after" => list("after.aclj") + "\n" + block,
        "pywb-acl-older" => list("older.aclj") + "\n" + block,
        "pywb-embargo-after" => "*, - {\"access\": \"exclude\", \"after\": \"2014012700\"}\n".to_owned(),
        "pywb-embargo-newer" => {
            "*, - {\"access\": \"exclude\", \"newer\": {\"years\": 1, \"months\": 6}}\n".to_owned()
        }
        // There an embargo comes on top of what is allowed, unless the line says that it does not.
        "pywb-embargo-acl" => {
            let old = "\"access\": \"exclude\", \"older\": {\"years\": 1}";
            list("pywb.aclj").replace("\"access\": \"allow\"", old) + "\n*, - {" + old + "}\n"
        }
        _ => return None,
    })
}
