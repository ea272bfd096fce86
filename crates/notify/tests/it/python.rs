//! A second opinion: scripts that use nothing but Python's own library.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What a script prints when it is given this input; `None` where there is no Python, which was said then.
#[track_caller]
pub(crate) fn python(script: &str, input: &[u8]) -> Option<String> {
    let python = testkit::peers::python()?;
    let mut child = Command::new(python)
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}
