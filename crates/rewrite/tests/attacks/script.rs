//! Any bytes as a script.

use rewrite::Kind;

use super::through;

pub(crate) fn attack(bytes: &[u8]) {
    let out = through::both(Kind::Script, bytes);
    let holds = |text: &[u8], word: &[u8]| text.windows(word.len()).any(|window| window == word);
    // What names none of the words that matter is not touched.
    if !["location", "import", "export", "\\u"].iter().any(|word| holds(bytes, word.as_bytes())) {
        assert!(out == bytes, "changed without a reason");
    }
    // What was rewritten once is not rewritten again.
    if !holds(bytes, b"varve")
        && !holds(bytes, b"import")
        && !holds(bytes, b"export")
        && !holds(bytes, b"\\u")
    {
        assert!(through::both(Kind::Script, &out) == out, "rewritten twice");
    }
}
