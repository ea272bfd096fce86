//! Reading back what was sealed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use store::{Error, Store, Verdict};

#[test]
fn every_kind_of_loss_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(&folder.path().join("store")).unwrap();
    for name in ["sound", "changed", "missing"] {
        let work = folder.path().join(name);
        fs::write(&work, name).unwrap();
        store.seal("job", &work).unwrap();
    }
    let job = folder.path().join("store/job");
    fs::set_permissions(job.join("changed"), fs::Permissions::from_mode(0o644)).unwrap();
    fs::write(job.join("changed"), "Changed").unwrap();
    fs::remove_file(job.join("missing")).unwrap();
    fs::write(job.join("unknown"), "").unwrap();

    assert_eq!(store.verify("job/sound").unwrap(), Verdict::Sound);
    assert_eq!(store.verify("job/missing").unwrap(), Verdict::Missing);
    assert_eq!(store.verify("job/unknown").unwrap(), Verdict::Unknown);
    assert!(matches!(store.verify("job/never"), Err(Error::Missing(_))));
    let Verdict::Changed { expected, found } = store.verify("job/changed").unwrap() else { panic!() };
    assert_ne!(expected, found);
}

#[test]
fn a_list_that_is_none_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(&folder.path().join("store")).unwrap();
    let work = folder.path().join("a");
    fs::write(&work, "a").unwrap();
    store.seal("job", &work).unwrap();
    let sums = folder.path().join("store/job/SHA256SUMS");
    let sound = fs::read_to_string(&sums).unwrap();
    for bad in ["nonsense\n".to_owned(), format!("{}\n", "x".repeat(1000)), "00  a\n".to_owned()] {
        fs::write(&sums, format!("{sound}{bad}")).unwrap();
        let error = store.verify("job/a").unwrap_err();
        assert!(matches!(error, Error::Sums { line: 2, .. }), "{error}");
    }
}
