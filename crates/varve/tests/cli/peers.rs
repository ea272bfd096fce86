//! Other people's programs accept what `convert` and `repair` write, also from files that are old or damaged.

use std::path::Path;
use std::process::Command;

use crate::run::varve;

const FASTWARC: &str = "\
import sys
from fastwarc.warc import ArchiveIterator
print(sum(1 for record in ArchiveIterator(sys.argv[1], parse_http=True)))
";

#[track_caller]
fn accepted(command: &mut Command) {
    let output = command.output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}

/// Runs a verb on a file of the vectors and shows the result to the peers.
#[track_caller]
fn check(verb: &str, input: &Path, out: &str) {
    let mut run = varve(["warc", verb, &input.to_string_lossy(), out]);
    let output = run.output();
    assert!(output.status.success(), "{verb} {input:?}: {}", String::from_utf8_lossy(&output.stderr));
    let out = run.folder().join(out);
    let Some(python) = testkit::peers::python() else { return };
    accepted(Command::new(python).args(["-c", FASTWARC]).arg(&out));
    if !out.to_string_lossy().ends_with(".zst") {
        accepted(Command::new(testkit::peers::program("warcio").unwrap()).arg("check").arg(&out));
        accepted(Command::new(testkit::peers::program("cdx-indexer").unwrap()).arg(&out));
    }
}

#[test]
fn what_convert_writes_is_accepted() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let dir = dir.join("01-warc-arc");
    for name in [
        "pywb-sample_archive/warcs/example.arc.gz",
        "netarchivesuite+netarchivesuite/NetarchiveSuite-netarkivet.arc.gz",
        "WebCuratorTool+webcurator/TestArc1.arc",
        "pywb-sample_archive/warcs/iana.warc.gz",
        "oduwsdl+ipwb/mkelly1.warc",
    ] {
        for out in ["out.warc", "out.warc.gz", "out.warc.zst"] {
            check("convert", &dir.join(name), out);
        }
    }
}

#[test]
fn what_repair_writes_is_accepted() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(dir.join("01-warc-arc/pywb-sample_archive/warcs/iana.warc.gz")).unwrap();
    let cut = folder.path().join("cut.warc.gz");
    std::fs::write(&cut, &whole[..whole.len() - 1000]).unwrap();
    let front = folder.path().join("front.warc.gz");
    std::fs::write(&front, [b"x", whole.as_slice()].concat()).unwrap();
    for damaged in [&cut, &front] {
        check("repair", damaged, "out.warc.gz");
        check("repair", damaged, "out.warc");
    }
    check("repair", &dir.join("01-warc-arc/netarchivesuite+netarchivesuite/integrity1.ARC"), "out.warc.gz");
    check("repair", &dir.join("01-warc-arc/webrecorder+warcio/example-space-in-url.arc"), "out.warc.gz");
}
