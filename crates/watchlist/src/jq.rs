//! jq queries that are only paths, as JSON paths: `.items[].name` is `$.items[*].name`.

/// The JSON path of a query, if it is one.
pub(crate) fn json_path(query: &str) -> Option<String> {
    let mut rest = query.trim();
    if !rest.starts_with('.') {
        return None;
    }
    let mut path = "$".to_owned();
    if rest == "." {
        return Some(path);
    }
    while !rest.is_empty() {
        // `.[` and `[` are the same.
        let after = rest.strip_prefix('.').unwrap_or(rest);
        if let Some(inside) = after.strip_prefix('[') {
            let (step, left) = bracket(inside)?;
            path.push_str(&step);
            rest = left.strip_prefix('?').unwrap_or(left);
            continue;
        }
        let name = rest.strip_prefix('.')?;
        let end =
            name.find(|char: char| !(char.is_ascii_alphanumeric() || char == '_')).unwrap_or(name.len());
        let (name, left) = name.split_at_checked(end)?;
        if name.is_empty() || name.starts_with(|char: char| char.is_ascii_digit()) {
            return None;
        }
        path.push('.');
        path.push_str(name);
        rest = left.strip_prefix('?').unwrap_or(left);
    }
    Some(path)
}

/// One step in brackets, and what follows it.
fn bracket(inside: &str) -> Option<(String, &str)> {
    if let Some(quoted) = inside.strip_prefix('"') {
        let (name, left) = quoted.split_once("\"]")?;
        let is_plain = !name.contains(['"', '\\', '\'']);
        return is_plain.then(|| (format!("['{name}']"), left));
    }
    let (index, left) = inside.split_once(']')?;
    let digits = index.strip_prefix('-').unwrap_or(index);
    match index {
        "" => Some(("[*]".to_owned(), left)),
        _ if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.len() < 10 => {
            Some((format!("[{index}]"), left))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::json_path;

    #[test]
    fn paths_are_understood_and_programs_are_not() {
        for (query, path) in [
            (".", "$"),
            (".a.b", "$.a.b"),
            (".[0].name", "$[0].name"),
            (".items[].name", "$.items[*].name"),
            (".[]?", "$[*]"),
            (".a[\"b c\"].d", "$.a['b c'].d"),
            (".a.[-1]", "$.a[-1]"),
        ] {
            assert_eq!(json_path(query).as_deref(), Some(path), "{query}");
        }
        for query in
            ["", "a", ".a | length", "..", ".a[1:2]", ".[\"a\\\"]", ".a[", ".1", "[0]", ".a,.b", ". "]
        {
            let expect = (query == ". ").then(|| "$".to_owned());
            assert_eq!(json_path(query), expect, "{query}");
        }
    }
}
