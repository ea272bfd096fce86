//! The same folders again and again: `/fonts/fonts/fonts/`, `/a/b/a/b/a/b/`, `?x=1&x=1&x=1`.
//!
//! A broken relative link makes a server answer the same page under ever longer paths. Three of a folder in a row, or three
//! rounds of a few folders, are taken for that, as in Heritrix; so is any folder or field that stands in a URL more than three
//! times, as in Zeno. (The plan may say another number than three.) Folders of digits do not count: dates and map tiles
//! have them.

/// What is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat<'a> {
    /// Rounds of so many folders, this one the last of them.
    Rounds(&'a str, usize),
    /// A folder here and there.
    Folder(&'a str),
    /// A field of the query, name and value.
    Field(&'a str),
}

/// Rounds of more folders than this are not looked for.
const ROUND_MAX: usize = 8;

/// The first repetition that is too much.
pub(crate) fn find<'a>(path: &'a str, query: Option<&'a str>, most: u32) -> Option<Repeat<'a>> {
    find_in_path(path, most).or_else(|| {
        let field = too_often(query?, b'&', most)?;
        Some(Repeat::Field(field))
    })
}

fn find_in_path(path: &str, most: u32) -> Option<Repeat<'_>> {
    let path = path.strip_prefix('/').unwrap_or(path);
    if !has_two_alike(path) {
        return None;
    }
    let folders: Vec<&str> = path.split('/').collect();
    let rounds = (most as usize).max(2);
    for round in 1..=ROUND_MAX.min(folders.len() / rounds) {
        let mut run = 0;
        for (one, other) in folders.iter().zip(folders.iter().skip(round)) {
            run = if one == other && is_counted(one) { run + 1 } else { 0 };
            if run >= (rounds - 1) * round {
                return Some(Repeat::Rounds(one, round));
            }
        }
    }
    too_often(path, b'/', most).map(Repeat::Folder)
}

/// Whether a path may have the same folder twice. Most have not, and are done with here, with nothing allocated; one of very many
/// folders is looked at more closely in any case.
fn has_two_alike(path: &str) -> bool {
    let mut folders: [&[u8]; 12] = [b""; 12];
    for (count, folder) in path.as_bytes().split(|byte| *byte == b'/').enumerate() {
        let Some((before, rest)) = folders.split_at_mut_checked(count) else { return true };
        let Some(place) = rest.first_mut() else { return true };
        if before.contains(&folder) {
            return true;
        }
        *place = folder;
    }
    false
}

/// The first part that stands in a text more than `most` times.
fn too_often(text: &str, separator: u8, most: u32) -> Option<&str> {
    let count = memchr::memchr_iter(separator, text.as_bytes()).count() + 1;
    if count <= most as usize {
        return None;
    }
    let mut parts: Vec<&str> = text.split(char::from(separator)).filter(|part| is_counted(part)).collect();
    parts.sort_unstable();
    let groups = parts.chunk_by(|one, other| one == other);
    groups.filter(|group| group.len() > most as usize).find_map(|group| group.first().copied())
}

fn is_counted(part: &str) -> bool {
    part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit())
}
