//! No link in a job's folder makes the API give out files from elsewhere. (Issue 20, point 6.)

use std::fs;
use std::os::unix::fs::symlink;

use super::world::World;

/// What another user wants to read with our rights.
const SECRET: &str = "secret of the owner";

#[test]
fn links_in_a_job_folder_are_not_followed() {
    let world = World::new();
    let work = world.archive().work();
    let outside = tempfile::tempdir().unwrap();
    for name in ["secret.txt", "crawl.log"] {
        fs::write(outside.path().join(name), SECRET).unwrap();
    }
    let job = work.join("job");
    fs::create_dir_all(job.join("logs")).unwrap();
    fs::write(job.join("job.toml"), "ours").unwrap();
    symlink(outside.path().join("secret.txt"), job.join("logs/crawl.log")).unwrap();
    symlink(outside.path().join("secret.txt"), job.join("seeds.txt")).unwrap();
    symlink(outside.path(), job.join("reports")).unwrap();
    symlink(outside.path(), work.join("linked")).unwrap();
    let given = |path: &str| {
        let answer = world.get(&format!("/api/v1/jobs/{path}"));
        (answer.status, String::from_utf8(answer.body).unwrap())
    };
    assert_eq!(given("job/files/job.toml"), (200, "ours".to_owned()));
    for path in [
        "job/files/crawl.log",
        "job/files/seeds.txt",
        "job/files/secret.txt",
        "linked/files/secret.txt",
        "linked/files/crawl.log",
        "job/log",
        "linked/log",
    ] {
        let (status, text) = given(path);
        assert!(status == 404 && !text.contains(SECRET), "{path}: {status} {text}");
    }
    let (_, names) = given("job/files");
    assert!(
        names.contains("job.toml") && !names.contains("secret.txt") && !names.contains("seeds.txt"),
        "{names}"
    );
}
