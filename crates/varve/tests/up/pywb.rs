//! pywb with our server as its index replays what was harvested. (Issue 5, acceptance 3.)

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::http;
use crate::program::{Up, timestamp};

/// pywb with one collection for each of our index protocols, stopped when dropped.
struct Pywb {
    process: Child,
    address: SocketAddr,
}

impl Pywb {
    /// `None` where the peers were not made.
    fn start(folder: &Path, up: &Up) -> Option<Pywb> {
        let wayback = testkit::peers::program("wayback")?;
        let (pages, store) = (&up.pages, up.archive.join("store"));
        let store = store.display();
        let config = format!(
            "collections:\n  cdx:\n    index: cdx+{pages}/cdx/web\n    archive_paths: {store}/\n  \
             outback:\n    index: cdx+{pages}/outbackcdx/web\n    archive_paths: {store}/\n"
        );
        std::fs::write(folder.join("config.yaml"), config).unwrap();
        // It wants to be told a port; one that is free now will hardly be taken in the next seconds.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let process = Command::new(wayback)
            .args(["--bind", "127.0.0.1", "--port", &address.port().to_string()])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut pywb = Pywb { process, address };
        testkit::until("pywb listens", || {
            assert!(pywb.process.try_wait().unwrap().is_none(), "pywb has ended by itself");
            TcpStream::connect(address).is_ok()
        });
        Some(pywb)
    }

    /// A capture as it was stored, nothing rewritten (`id_`).
    fn replay(&self, collection: &str, timestamp: &str, path: &str) -> http::Answer {
        http::get(&format!("http://{}/{collection}/{timestamp}id_/http://{}{path}", self.address, demo::HOST))
    }
}

impl Drop for Pywb {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[test]
fn pywb_replays_the_sample_site_with_our_index() {
    let up = Up::start();
    let folder = tempfile::tempdir().unwrap();
    let Some(pywb) = Pywb::start(folder.path(), &up) else { return };
    // An article that is in all editions, one corrected, a picture exchanged, pages, data, a video.
    let paths = [
        "/",
        "/2026/09/lake-mud.html",
        "/2026/09/bridge-closure.html",
        "/pictures/heron.jpg",
        "/data/weather.json",
        "/media/layers.webm",
        "/assets/paper.css",
        "/about.html",
        "/search.html?q=ferry",
        "/files/ferry-timetable.pdf",
    ];
    for collection in ["cdx", "outback"] {
        for edition in demo::EDITIONS {
            for path in paths {
                let live = demo::answer(edition.number, path);
                let replayed = pywb.replay(collection, &timestamp(edition.number), path);
                assert_eq!(replayed.status, 200, "{collection} {} {path}", edition.number);
                assert!(replayed.body == live.body.as_ref(), "{collection} {} {path}", edition.number);
            }
        }
    }
}
