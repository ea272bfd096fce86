//! The table of what can be said of a replica: a further place that keeps every file, or its checksum (D11).

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::kind::{FilePath, Number, Parsed, Readable, Size};
use super::table::table;

table! {
    /// A further place that keeps every file.
    ReplicaValues, ReplicaLayer;

    section "Replicas";
    /// What it is called in lists and in the log
    name: Option<String> = None, file();
    /// One or several folders, perhaps on several disks: a file goes to the one with the most room
    folders: Vec<FilePath> = Vec::new(), file();
    /// Leave so much free on each of their disks
    spare: Size = Size(1 << 30), file();
    /// A bucket of S3, or of a server that speaks like it, and perhaps a folder in it: `s3://bucket/folder`. The keys are those of
    /// the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
    bucket: Option<Parsed<Address>> = None, file();
    /// The bucket's server, if it is not Amazon's, such as `https://s3.example.org`; else AWS_ENDPOINT_URL of the environment
    endpoint: Option<String> = None, file();
    /// The bucket's region; else AWS_REGION of the environment
    region: Option<String> = None, file();
    /// Wait so long for the bucket's server to answer; it is asked for or given 8 MiB at once at most
    timeout: Duration = Duration::from_secs(60), file();
    /// Ask the bucket's server so often in all before it counts as failed, with pauses that grow
    tries: Number<1, 100> = Number(6), file();
    /// A folder that keeps nothing but checksums: small enough for anywhere, and the third voice where two copies differ
    checksums: Option<FilePath> = None, file();
}

/// A bucket, and the folder in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The bucket.
    pub bucket: String,
    /// The folder in it, or nothing.
    pub folder: String,
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Address, String> {
        let rest = text.strip_prefix("s3://").ok_or_else(|| "it does not begin with s3://".to_owned())?;
        let (bucket, folder) = rest.split_once('/').unwrap_or((rest, ""));
        let is_name = !bucket.is_empty()
            && bucket.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
        if !is_name {
            return Err("it names no bucket".to_owned());
        }
        Ok(Address { bucket: bucket.to_owned(), folder: folder.trim_matches('/').to_owned() })
    }
}

impl Readable for Address {
    const ALLOWED: &'static str = "a bucket such as s3://bucket or s3://bucket/folder";

    fn reason(error: String) -> Option<String> {
        Some(error)
    }
}

/// What a replica is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// Folders, and how much is left free on their disks.
    Folders(Vec<PathBuf>, u64),
    /// A bucket at a server, in a region, and how much patience is had with it.
    Bucket {
        /// Bucket and folder.
        address: Address,
        /// The server.
        endpoint: Option<String>,
        /// The region.
        region: Option<String>,
        /// How long an answer may take.
        timeout: Duration,
        /// How often a call is tried.
        tries: u32,
    },
    /// A folder of checksums.
    Checksums(PathBuf),
}

impl ReplicaValues {
    /// Its name and what it is made of; else what is wrong with it, and the way out.
    pub fn made(&self) -> Result<(String, Made), (String, &'static str)> {
        let name = self.name.clone().filter(|name| store::is_name(name)).ok_or_else(|| {
            let message = match &self.name {
                None => "a replica has no name".to_owned(),
                Some(name) => format!("`{name}` cannot be the name of a replica"),
            };
            (message, "give it a `name` of letters, digits, `.`, `-` and `_`")
        })?;
        let folders: Vec<PathBuf> = self.folders.iter().map(|FilePath(path)| path.clone()).collect();
        let made = match (folders.is_empty(), &self.bucket, &self.checksums) {
            (false, None, None) => Made::Folders(folders, self.spare.0),
            (true, Some(bucket), None) => Made::Bucket {
                address: bucket.value.clone(),
                endpoint: self.endpoint.clone(),
                region: self.region.clone(),
                timeout: self.timeout,
                tries: u32::try_from(self.tries.0).unwrap_or(u32::MAX),
            },
            (true, None, Some(FilePath(folder))) => Made::Checksums(folder.clone()),
            (true, None, None) => {
                let message = format!("replica `{name}` does not say where it is");
                return Err((message, "give it `folders`, a `bucket`, or a folder of `checksums`"));
            }
            _ => {
                let message = format!("replica `{name}` is several things at once");
                return Err((
                    message,
                    "it has `folders`, a `bucket`, or a folder of `checksums`: one of these",
                ));
            }
        };
        Ok((name, made))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_may_have_a_folder() {
        let address = |text: &str| text.parse::<Address>().map(|address| (address.bucket, address.folder));
        assert_eq!(address("s3://b"), Ok(("b".to_owned(), String::new())));
        assert_eq!(address("s3://b/x/y/"), Ok(("b".to_owned(), "x/y".to_owned())));
        assert!(address("https://b").is_err());
        assert!(address("s3:///x").is_err());
    }

    #[test]
    fn a_replica_is_one_thing() {
        let mut values = ReplicaLayer::default().values();
        assert!(values.made().unwrap_err().0.contains("no name"));
        values.name = Some("attic".to_owned());
        assert!(values.made().unwrap_err().0.contains("where it is"));
        values.checksums = Some(FilePath("c".into()));
        assert_eq!(values.made(), Ok(("attic".to_owned(), Made::Checksums("c".into()))));
        values.folders = vec![FilePath("f".into())];
        assert!(values.made().unwrap_err().0.contains("several things"));
    }
}
