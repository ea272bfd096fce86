//! Every crate has a front page, which begins with the one question that the crate answers.

use super::Fault;
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let of_crates = tree.crates.iter().filter(|member| member.folder.starts_with("crates/"));
    of_crates
        .filter_map(|member| {
            let path = format!("{}/README.md", member.folder);
            let Some(file) = tree.files.iter().find(|file| file.path == path) else {
                return Some(Fault::new(&path, 0, "is missing: every crate has a front page"));
            };
            let mut lines = file.text.lines().filter(|line| !line.trim().is_empty());
            let title = lines.next().is_some_and(|line| line == format!("# {}", member.name));
            let question = lines.next().is_some_and(|line| line.starts_with('*') && line.contains("?*"));
            (!title || !question).then(|| {
                let form = format!(
                    "must begin with `# {}` and, on the next line, its question as `*…?*`",
                    member.name
                );
                Fault::new(&path, 1, form)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(text: &str, faults: usize) {
        let tree = Tree::of(&[("crates/warc/README.md", text)]).with_crate("warc", &[]);
        assert_eq!(check(&tree).len(), faults, "{text}");
    }

    #[test]
    fn a_crate_answers_one_question() {
        check_text("# warc\n\n*What did the server say?*\n\nWords.", 0);
        check_text("# warc\n\nReads things.", 1);
        check_text("# Warc\n\n*What?*", 1);
        assert_eq!(check(&Tree::of(&[]).with_crate("warc", &[])).len(), 1);
    }
}
