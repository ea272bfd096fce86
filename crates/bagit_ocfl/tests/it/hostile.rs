//! Packages that are made to hurt: nothing leads out, nothing is without end, and all of it is told.

use std::cell::RefCell;
use std::io::{self, Read};

use bagit_ocfl::{Entry, EntryKind, Kind, Limits, Memory, Tree, bagit, ocfl};

use crate::bags::{ONE, draft, judge, sound};

/// Paths that lead out here or elsewhere.
const OUT: [&str; 14] = [
    "../../../etc/passwd",
    "data/../../etc/passwd",
    "data/..",
    "/etc/passwd",
    "~/x",
    "~root/x",
    "C:\\x",
    "C:/x",
    "\\\\server\\share\\x",
    "\\.\\./\\.\\./x",
    "data\\..\\..\\x",
    "data//x",
    "data/./x",
    "data/x\0",
];

/// Remembers what was opened.
struct Watched<'a> {
    tree: &'a Memory,
    opened: RefCell<Vec<String>>,
}

impl<'a> Watched<'a> {
    fn new(tree: &'a Memory) -> Watched<'a> {
        Watched { tree, opened: RefCell::default() }
    }

    /// Nothing was opened that is not in the tree.
    #[track_caller]
    fn settle(self) {
        for path in self.opened.into_inner() {
            assert!(self.tree.get(&path).is_some(), "{path}");
        }
    }
}

impl Tree for Watched<'_> {
    fn list(&self, folder: &str) -> io::Result<impl Iterator<Item = io::Result<Entry>>> {
        self.tree.list(folder)
    }

    fn open(&self, path: &str) -> io::Result<impl Read> {
        self.opened.borrow_mut().push(path.to_owned());
        self.tree.open(path)
    }
}

#[test]
fn no_path_in_a_bag_leads_out() {
    for path in OUT {
        let bag = draft("1.0", &format!("{ONE}  data/a.txt\n{ONE}  {path}\n"));
        let tree = Watched::new(&bag);
        assert!(bagit::check(&tree, &Limits::default()).unwrap().has(Kind::Hostile), "{path}");
        tree.settle();

        let mut bag = draft("0.97", &format!("{ONE}  data/a.txt\n"));
        bag.put("tagmanifest-md5.txt", format!("{ONE}  {path}\n"));
        let tree = Watched::new(&bag);
        assert!(bagit::check(&tree, &Limits::default()).unwrap().has(Kind::Hostile), "{path}");
        tree.settle();

        let mut bag = draft("0.97", &format!("{ONE}  data/a.txt\n"));
        bag.put("fetch.txt", format!("http://example.org/ - {path}\n"));
        let tree = Watched::new(&bag);
        assert!(bagit::check(&tree, &Limits::default()).unwrap().has(Kind::Hostile), "{path}");
        tree.settle();
    }
}

#[test]
fn percent_signs_are_not_taken_for_more_than_they_are() {
    let bag = draft("1.0", &format!("{ONE}  data/a.txt\n{ONE}  data/%2e%2e/%2E%2E/x\n"));
    let tree = Watched::new(&bag);
    let report = bagit::check(&tree, &Limits::default()).unwrap();
    assert!(report.has(Kind::Absent) && report.has(Kind::Unportable), "{:?}", report.problems);
    tree.settle();
}

#[test]
fn no_path_in_an_object_leads_out() {
    for path in OUT {
        let object = crate::objects::with_path(path, "a.txt");
        let tree = Watched::new(&object);
        let report = ocfl::check(&tree, &Limits::default()).unwrap();
        assert!(!report.is_valid(), "{path}");
        tree.settle();
        let object = crate::objects::with_path("v1/content/a.txt", path);
        let tree = Watched::new(&object);
        let report = ocfl::check(&tree, &Limits::default()).unwrap();
        assert!(!report.is_valid(), "{path}");
        tree.settle();
    }
}

#[test]
fn links_and_devices_are_told_and_not_followed() {
    for (kind, bag_kind, object_kind) in [
        (EntryKind::Link, Kind::Link, Kind::E090),
        (EntryKind::Special, Kind::Special, Kind::Special),
        (EntryKind::Nameless, Kind::Special, Kind::Special),
    ] {
        for path in ["x", "data/x", "data/deep/x", "bagit.txt"] {
            let mut bag = sound();
            bag.put_odd(path, kind);
            let report = judge(&bag);
            assert!(report.has(bag_kind) && !report.is_valid(), "{path}");
        }
        for path in
            ["x", "v1/x", "v1/content/x", "v1/content/deep/x", "extensions/x", "inventory.json.sha512"]
        {
            let mut object = crate::objects::sound();
            object.put_odd(path, kind);
            let report = ocfl::check(&object, &Limits::default()).unwrap();
            assert!(report.has(object_kind) && !report.is_valid(), "{path}");
        }
    }
}

#[test]
fn names_of_a_tree_that_are_none_are_told() {
    let mut bag = sound();
    bag.put("data/../x", *b"");
    assert!(judge(&bag).has(Kind::Special));
}

#[test]
fn everything_has_a_limit() {
    let all = Limits::default();
    for limits in [
        Limits { entries: 3, ..all },
        Limits { path_bytes: 8, ..all },
        Limits { manifests: 0, ..all },
        Limits { manifest_bytes: 100, ..all },
        Limits { tag_bytes: 10, ..all },
        Limits { line_bytes: 40, ..all },
    ] {
        let report = bagit::check(&sound(), &limits).unwrap();
        assert!(report.has(Kind::Limit) && !report.is_valid(), "{limits:?}");
    }
    for limits in [
        Limits { entries: 3, ..all },
        Limits { path_bytes: 8, ..all },
        Limits { tag_bytes: 10, ..all },
        Limits { inventory_bytes: 100, ..all },
        Limits { versions: 0, ..all },
    ] {
        let report = ocfl::check(&crate::objects::sound(), &limits).unwrap();
        assert!(report.has(Kind::Limit) && !report.is_valid(), "{limits:?}");
    }
    let report = bagit::check(&Memory::new(), &Limits { problems: 1, ..all }).unwrap();
    assert_eq!((report.problems.len(), report.unlisted), (1, 2));
}

#[test]
fn a_tree_that_fails_is_an_error_and_no_verdict() {
    struct Broken;
    impl Tree for Broken {
        fn list(&self, _: &str) -> io::Result<impl Iterator<Item = io::Result<Entry>>> {
            Ok([Err(io::Error::other("the disk is gone"))].into_iter())
        }
        fn open(&self, _: &str) -> io::Result<impl Read> {
            Ok(io::empty())
        }
    }
    assert!(bagit::check(&Broken, &Limits::default()).is_err());
    assert!(ocfl::check(&Broken, &Limits::default()).is_err());
}
