//! Packages that need no program of ours: bags and objects.

use std::fs;

use super::world::{World, overwrite, told};

#[test]
fn files_leave_as_bags_and_objects_and_are_checked() {
    let world = World::new();
    let names = ["one.txt", "two.txt"].map(|name| world.put(name, name.as_bytes()));
    for (kind, path) in [("bagit", "data/deposit/one.txt"), ("ocfl", "v1/content/deposit/one.txt")] {
        let folder = format!("../{kind}");
        // A damaged copy does not get in.
        overwrite(&world.copy("store", &names[0]), b"damage");
        let output = world.run(&["vault", "export", kind, &folder]).output();
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        assert_eq!(fs::read(world.at(kind).join(path)).unwrap(), b"one.txt");
        assert!(world.ok(&["vault", "check", &folder]).starts_with("valid"));
        fs::write(world.at(kind).join(path), "two.txt").unwrap();
        let output = world.run(&["vault", "check", &folder]).output();
        assert_eq!(output.status.code(), Some(1));
        assert!(told(&output).starts_with("invalid"), "{}", told(&output));
        let again = world.run(&["vault", "export", kind, &folder]).output();
        assert!(told(&again).contains("is not empty"), "{}", told(&again));
        world.ok(&["vault", "repair"]);
    }
    world.ok(&["vault", "export", "bagit", "../some", &names[1], "--id", "urn:example:1"]);
    let (rows, _) = world.rows(&["vault", "check", "../some"]);
    assert_eq!((&rows[0]["identifier"], &rows[0]["format"]), (&"urn:example:1".into(), &"BagIt 1.0".into()));
    assert!(!world.at("some/data/deposit/one.txt").exists());
}
