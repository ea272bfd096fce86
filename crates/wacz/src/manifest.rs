//! The manifest of a package, `datapackage.json`: what it is called, and every file in it with length and checksum.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::digest::Checksum;
use crate::error::Error;

/// Where the manifest lies.
pub const MANIFEST_PATH: &str = "datapackage.json";
/// Where the file lies that vouches for it.
pub const DIGEST_PATH: &str = "datapackage-digest.json";

/// What kind of package it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Profile {
    /// `data-package`, up to WACZ 1.1.1.
    #[default]
    DataPackage,
    /// `wacz`, from WACZ 1.2.0 on.
    Wacz,
    /// `multi-wacz-package`: its files are packages.
    MultiWacz,
    /// Something else, or nothing.
    Other(String),
}

/// What a manifest says. Everything is as it stands there; what is missing is `None`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Manifest {
    /// What kind of package it is.
    pub profile: Profile,
    /// `wacz_version`.
    pub version: Option<String>,
    /// The files of the package.
    pub resources: Vec<Resource>,
    /// What the collection is called.
    pub title: Option<String>,
    /// More about it, in Markdown.
    pub description: Option<String>,
    /// When the package was made (RFC 3339).
    pub created: Option<String>,
    /// When it was changed last.
    pub modified: Option<String>,
    /// What made it.
    pub software: Option<String>,
    /// Where to begin to look: `mainPageUrl` and `mainPageDate` (or `mainPageURL`, as py-wacz writes it), or `home` of WACZ 1.2.0.
    pub main_page: Option<MainPage>,
}

/// Where to begin to look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MainPage {
    /// Its URL.
    pub url: String,
    /// When it was captured.
    pub date: Option<String>,
}

/// A file of the package.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resource {
    /// What it is called.
    pub name: Option<String>,
    /// Where it lies: in the package; of a package of packages perhaps elsewhere, by a path or a URL.
    pub path: String,
    /// Its checksum, as it is written.
    pub hash: Option<String>,
    /// The checksum, if it is one that we know.
    pub checksum: Option<Checksum>,
    /// How long it is.
    pub bytes: Option<u64>,
}

impl Profile {
    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Profile::DataPackage => "data-package",
            Profile::Wacz => "wacz",
            Profile::MultiWacz => "multi-wacz-package",
            Profile::Other(name) => name,
        }
    }

    fn of(name: &str) -> Profile {
        match name {
            "data-package" => Profile::DataPackage,
            "wacz" => Profile::Wacz,
            "multi-wacz-package" => Profile::MultiWacz,
            other => Profile::Other(other.to_owned()),
        }
    }
}

impl Manifest {
    /// Reads a manifest of any version.
    ///
    /// # Errors
    /// When it is no JSON object, or its list of resources is none.
    pub fn parse(bytes: &[u8]) -> Result<Manifest, Error> {
        let wrong = |what: String| Error::Json { place: MANIFEST_PATH.to_owned(), what };
        let value: Value = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
        let Value::Object(object) = value else { return Err(wrong("it is no object".to_owned())) };
        let resources = match object.get("resources") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(resources)) => {
                resources.iter().map(resource).collect::<Result<_, String>>().map_err(wrong)?
            }
            Some(_) => return Err(wrong("`resources` is no list".to_owned())),
        };
        let text = |name: &str| text_of(&object, name);
        let metadata = object.get("metadata").and_then(Value::as_object);
        Ok(Manifest {
            profile: Profile::of(&text("profile").unwrap_or_default()),
            version: text("wacz_version"),
            resources,
            // Version 1.0 had it one level below.
            title: text("title").or_else(|| text_of(metadata?, "title")),
            description: text("description"),
            created: text("created"),
            modified: text("modified"),
            software: text("software"),
            main_page: main_page(&object),
        })
    }

    /// As WACZ 1.1.1 has it.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut object = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                object.insert(name.to_owned(), value);
            }
        };
        let text = |text: &Option<String>| text.clone().map(Value::from);
        put("profile", Some(self.profile.as_str().into()));
        put("wacz_version", text(&self.version));
        put("title", text(&self.title));
        put("description", text(&self.description));
        put("created", text(&self.created));
        put("modified", text(&self.modified));
        put("software", text(&self.software));
        if let Some(page) = &self.main_page {
            put("mainPageUrl", Some(page.url.clone().into()));
            put("mainPageDate", text(&page.date));
        }
        let resources = self.resources.iter().map(|resource| {
            let hash = resource.checksum.as_ref().map(ToString::to_string).or_else(|| resource.hash.clone());
            json!({ "name": resource.name, "path": resource.path, "hash": hash, "bytes": resource.bytes })
        });
        put("resources", Some(resources.collect()));
        let mut text = format!("{:#}", Value::Object(object)).into_bytes();
        text.push(b'\n');
        text
    }

    /// The files by their paths; the first of a path counts. Looking up each of 60,000 files in the list itself would take minutes.
    #[must_use]
    pub fn resources_by_path(&self) -> HashMap<&str, &Resource> {
        let mut resources = HashMap::with_capacity(self.resources.len());
        for resource in &self.resources {
            resources.entry(resource.path.as_str()).or_insert(resource);
        }
        resources
    }
}

fn text_of(object: &Map<String, Value>, name: &str) -> Option<String> {
    object.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn main_page(object: &Map<String, Value>) -> Option<MainPage> {
    if let Some(home) = object.get("home").and_then(Value::as_object) {
        return Some(MainPage { url: text_of(home, "url")?, date: text_of(home, "ts") });
    }
    let url = text_of(object, "mainPageUrl").or_else(|| text_of(object, "mainPageURL"))?;
    let date = text_of(object, "mainPageDate").or_else(|| text_of(object, "mainPageTS"));
    Some(MainPage { url, date })
}

fn resource(value: &Value) -> Result<Resource, String> {
    let Some(object) = value.as_object() else { return Err("a resource is no object".to_owned()) };
    // Packages of packages have a URL for those that lie elsewhere.
    let path = text_of(object, "path").or_else(|| text_of(object, "url"));
    let path = path.ok_or_else(|| "a resource has no path".to_owned())?;
    let name = text_of(object, "name");
    // Version 1.0 has the two in an object of their own, and says the algorithm beside it.
    let stats = object.get("stats").and_then(Value::as_object);
    let hash = text_of(object, "hash").or_else(|| text_of(stats?, "hash"));
    let bytes = object.get("bytes").or_else(|| stats?.get("bytes")).and_then(Value::as_u64);
    let checksum = hash.as_deref().and_then(|hash| match text_of(object, "hashing") {
        Some(algorithm) if !hash.contains(':') => Checksum::of_parts(&algorithm, hash),
        _ => Checksum::parse(hash),
    });
    Ok(Resource { name, path, hash, checksum, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_main_page(json: &str, expect: Option<(&str, Option<&str>)>) {
        let manifest = Manifest::parse(json.as_bytes()).unwrap();
        let found = manifest.main_page.as_ref().map(|page| (page.url.as_str(), page.date.as_deref()));
        assert_eq!(found, expect, "{json}");
    }

    #[test]
    fn the_main_page_is_found_in_every_spelling() {
        check_main_page("{}", None);
        check_main_page(
            r#"{"mainPageUrl":"http://a/","mainPageDate":"2026"}"#,
            Some(("http://a/", Some("2026"))),
        );
        check_main_page(r#"{"mainPageURL":"http://a/"}"#, Some(("http://a/", None)));
        check_main_page(r#"{"home":{"url":"http://a/","ts":"2026"}}"#, Some(("http://a/", Some("2026"))));
        check_main_page(r#"{"home":{"ts":"2026"}}"#, None);
    }

    #[test]
    fn resources_of_every_version_are_read() {
        let hex = "8a7fc0d302700bed02294404a627ddbbf0e35487565b1c6181c729dff8d2fff6";
        for json in [
            format!(r#"{{"path":"a","hash":"sha256:{hex}","bytes":7}}"#),
            format!(r#"{{"path":"a","hash":"sha-256:{hex}","bytes":7}}"#),
            format!(r#"{{"path":"a","stats":{{"hash":"{hex}","bytes":7}},"hashing":"sha256"}}"#),
        ] {
            let manifest = Manifest::parse(format!(r#"{{"resources":[{json}]}}"#).as_bytes()).unwrap();
            let resource = manifest.resources_by_path()["a"];
            assert_eq!(resource.bytes, Some(7), "{json}");
            assert_eq!(resource.checksum.as_ref().unwrap().to_string(), format!("sha256:{hex}"), "{json}");
        }
        for json in ["[]", "1", "{\"resources\":1}", "{\"resources\":[1]}", "{\"resources\":[{}]}", "{", ""] {
            assert!(Manifest::parse(json.as_bytes()).is_err(), "{json}");
        }
    }

    #[test]
    fn a_manifest_reads_back() {
        let manifest = Manifest {
            version: Some("1.1.1".to_owned()),
            title: Some("Herring".to_owned()),
            main_page: Some(MainPage { url: "http://a/".to_owned(), date: None }),
            ..Manifest::default()
        };
        assert_eq!(Manifest::parse(&manifest.to_json()).unwrap(), manifest);
    }
}
