//! What is wrong with a settings file as TOML, in words for people who do not write TOML every day.

use super::table::Refused;

/// What the parser complains about in a line, which is counted from 1, and the way out. The name is what it points at.
pub(crate) fn refused(text: &str, line: usize, name: &str, message: &str) -> Refused {
    let above: Vec<&str> = text.lines().take(line.saturating_sub(1)).collect();
    let here = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    match message {
        "duplicate key" => twice(&above, here, name),
        message if message.starts_with("cannot extend value") => Refused {
            message: format!("`{name}` is a setting already, and cannot be a table, too"),
            hint: Some("tables are not nested: each begins at the top, such as `[filters.mime]`".to_owned()),
        },
        message if message.starts_with("string values must be quoted") => Refused {
            message: match here.split_once('=') {
                Some((key, value)) if value.trim().is_empty() => format!("`{}` has no value", key.trim()),
                Some((key, value)) => {
                    format!("`{}` has no value that is understood: {}", key.trim(), value.trim())
                }
                None => message.to_owned(),
            },
            hint: Some("text stands in quotes: `scope = \"domain\"`; numbers do not: `depth = 3`".to_owned()),
        },
        message if message.starts_with("key with no value") => {
            Refused { message: "a setting is written `name = value`".to_owned(), hint: None }
        }
        message => Refused { message: message.to_owned(), hint: None },
    }
}

/// A table or a setting that stands there already.
fn twice(above: &[&str], here: &str, name: &str) -> Refused {
    let (what, first, hint) = match head(here) {
        Some(this) => {
            let first = above.iter().position(|line| head(line) == Some(this));
            (format!("`{this}` begins"), first, "write the settings of both below one of them")
        }
        None => {
            // The same name may stand in other tables.
            let table = above.iter().rposition(|line| head(line).is_some()).map_or(0, |at| at + 1);
            let is_same = |line: &&str| line.split('=').next().is_some_and(|key| plain(key) == plain(name));
            let first = above.iter().skip(table).position(is_same).map(|at| at + table);
            (format!("`{}` is set", plain(name)), first, "take one of them out")
        }
    };
    let message = match first {
        Some(first) => format!("{what} a second time, after line {}", first + 1),
        None => format!("{what} a second time"),
    };
    Refused { message, hint: Some(hint.to_owned()) }
}

/// The head of a table without what stands around it, if the line is one.
fn head(line: &str) -> Option<&str> {
    let line = line.trim();
    let end = line.starts_with('[').then(|| line.rfind(']'))??;
    line.get(..=end)
}

/// A name without its quotes.
fn plain(key: &str) -> &str {
    key.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, line: usize, name: &str, message: &str) {
        assert_eq!(refused(text, line, name, "duplicate key").message, message, "{text}");
    }

    #[test]
    fn of_what_stands_twice_the_first_is_named() {
        check("[harvest]\ndepth = 1\n\ndepth = 2", 4, "depth", "`depth` is set a second time, after line 2");
        check("[harvest]\n'depth' = 1\ndepth = 2", 3, "depth", "`depth` is set a second time, after line 2");
        check(
            "[a]\ndepth = 1\n[b]\ndepth = 2\ndepth = 3",
            5,
            "depth",
            "`depth` is set a second time, after line 4",
        );
        check(
            "[harvest] # all\n\n[harvest]\n",
            3,
            "harvest",
            "`[harvest]` begins a second time, after line 1",
        );
        check("a.b = 1\n[a]\nb = 2\n", 3, "b", "`b` is set a second time");
        check("", 7, "b", "`b` is set a second time");
    }
}
