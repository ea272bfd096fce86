//! Rules that are tried before they are kept: what they would have told of the last change.

use api::watches::{Asked, VersionRow, WatchWish, Watching, Which};
use axum::http::StatusCode;
use diff::What;

use super::words;

/// So many findings are shown.
const FINDINGS: usize = 12;
/// So much of each.
const CHARS: usize = 400;

/// What came of it.
pub(super) struct Tried {
    /// How it looks: `good` if it would be told, else `fair`.
    pub(super) mood: &'static str,
    pub(super) sentence: String,
    /// Why, a sentence each.
    pub(super) why: Vec<String>,
    /// Both versions, if there are two.
    pub(super) versions: Option<(VersionRow, VersionRow)>,
    /// What differs: what became of it, what was there, and what is.
    pub(super) findings: Vec<(&'static str, String, String)>,
    pub(super) more: usize,
}

/// Applies the rules of a wish to the last two versions of its page.
pub(super) async fn test(watching: &Watching, id: Option<i64>, wish: WatchWish) -> Result<Tried, api::Error> {
    let versions = match watching.versions(wish.url.clone(), None, 2).await {
        Err(error) if error.status() == StatusCode::NOT_FOUND => Vec::new(),
        found => found?.versions,
    };
    let [newer, older] = versions.as_slice() else {
        let why =
            "Rules are tried on the last change, and so far there is none. The preview shows what they keep.";
        return Ok(Tried {
            mood: "fair",
            sentence: "There are no two versions yet.".to_owned(),
            why: vec![why.to_owned()],
            versions: None,
            findings: Vec::new(),
            more: 0,
        });
    };
    let rules = wish.rules;
    let asked = Asked {
        url: wish.url,
        from: Which::Number(older.number),
        to: Which::Number(newer.number),
        watch: id,
        rules: Some(rules.clone()),
    };
    let row = watching.difference(asked).await?.row;
    let mut why: Vec<String> =
        row.fired.iter().map(|fired| format!("It sets off a trigger: {fired}.")).collect();
    if row.findings.is_empty() {
        why.push("Nothing that these rules keep is another.".to_owned());
    } else if !row.meaningful {
        why.push(crate::error::sentence(words::not_told(&rules, &row.fired)));
    }
    match row.left_out.len() {
        0 => {}
        1 => why.push("1 change is left out as noise.".to_owned()),
        count => why.push(format!("{count} changes are left out as noise.")),
    }
    let (mood, sentence) = match row.meaningful {
        true => ("good", "The last change would be told.".to_owned()),
        false => ("fair", "The last change would not be told.".to_owned()),
    };
    let shown = |text: &str| text.chars().take(CHARS).collect::<String>();
    let findings = row.findings.iter().take(FINDINGS);
    let findings: Vec<_> =
        findings.map(|finding| (what(finding.what), shown(&finding.old), shown(&finding.new))).collect();
    let more = row.findings.len().saturating_sub(FINDINGS);
    Ok(Tried { mood, sentence, why, versions: Some((row.before, row.after)), findings, more })
}

/// What became of something, in a word.
pub(super) fn what(what: What) -> &'static str {
    match what {
        What::Added => "added",
        What::Removed => "removed",
        What::Moved => "moved",
        _ => "changed",
    }
}
