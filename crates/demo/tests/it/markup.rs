//! The pages are well made, as far as a simple look can tell.

use crate::{numbers, pages, text};

/// Elements that have no end.
const VOID: [&str; 6] = ["meta", "link", "img", "input", "source", "br"];

/// Names of elements in the order of the document; an end has a slash in front. What scripts and styles hold is left out.
fn tags(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = html;
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').unwrap_or((after, ""));
        rest = after;
        if tag.starts_with('!') || tag.ends_with('/') {
            continue;
        }
        let name = tag.split_ascii_whitespace().next().unwrap().to_owned();
        if name == "style" || name == "script" {
            rest = rest.split_once(&format!("</{name}>")).expect(tag).1;
            continue;
        }
        found.push(name);
    }
    found
}

#[test]
fn every_element_is_closed_in_order() {
    for edition in numbers() {
        for path in pages(edition) {
            let mut open: Vec<String> = Vec::new();
            for tag in tags(&text(edition, &path)) {
                match tag.strip_prefix('/') {
                    Some(name) => assert_eq!(open.pop().as_deref(), Some(name), "{edition} {path}"),
                    None if VOID.contains(&tag.as_str()) => {}
                    None => open.push(tag),
                }
            }
            assert!(open.is_empty(), "{edition} {path}: {open:?}");
        }
    }
}

#[test]
fn nothing_is_left_to_fill_in() {
    for edition in numbers() {
        for path in pages(edition) {
            assert!(!text(edition, &path).contains("{{"), "{edition} {path}");
        }
    }
}

#[test]
fn every_page_has_one_title_one_heading_and_a_language() {
    for edition in numbers() {
        for path in pages(edition).into_iter().filter(|path| !path.starts_with("/embed/")) {
            let page = text(edition, &path);
            assert_eq!(page.matches("<title>").count(), 1, "{edition} {path}");
            assert_eq!(page.matches("<h1").count(), 1, "{edition} {path}");
            assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"), "{edition} {path}");
        }
    }
}

#[test]
fn every_picture_has_a_text_and_a_size() {
    for edition in numbers() {
        for path in pages(edition) {
            let page = text(edition, &path);
            for image in page.split("<img ").skip(1).map(|rest| rest.split('>').next().unwrap()) {
                for attribute in ["alt=", "width=", "height="] {
                    assert!(image.contains(attribute), "{edition} {path}: {image}");
                }
            }
        }
    }
}

#[test]
fn identifiers_stand_once() {
    for edition in numbers() {
        for path in pages(edition) {
            let page = text(edition, &path);
            let mut ids: Vec<&str> =
                page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
            ids.sort_unstable();
            let count = ids.len();
            ids.dedup();
            assert_eq!(ids.len(), count, "{edition} {path}");
        }
    }
}
