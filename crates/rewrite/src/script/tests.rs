//! Which names are renamed.

use super::*;
use crate::Modifier;

fn place() -> Place {
    Place::new("/web/", "2026", Modifier::Page, "http://example.org/a/b.html").unwrap()
}

/// Rewrites in pieces of every length.
fn rewrite(code: &str) -> String {
    let mut all: Vec<String> = (1..=code.len().clamp(1, 40))
        .map(|length| {
            let mut stream = Stream::new(&Limits::default(), false);
            let mut out = Vec::new();
            for piece in code.as_bytes().chunks(length) {
                stream.feed(piece, &place(), &mut out);
            }
            stream.finish(&place(), &mut out);
            String::from_utf8(out).unwrap()
        })
        .collect();
    all.dedup();
    assert_eq!(all.len(), 1, "{all:#?}");
    all.remove(0)
}

/// `@` stands for the new name.
#[track_caller]
fn check(code: &str, expected: &str) {
    assert_eq!(rewrite(code), expected.replace('@', NAME), "{code}");
}

#[track_caller]
fn stays(code: &str) {
    check(code, code);
}

#[test]
fn variables_are_renamed() {
    check("location = 'a'", "@ = 'a'");
    check("var location=1;f(location)", "var @=1;f(@)");
    check("function location(location){}", "function @(@){}");
    check("x = location.href + window . location", "x = @.href + window . @");
    check("if(location)location.reload()", "if(@)@.reload()");
    check("a ? location : b", "a ? @ : b");
    check("a ? b : location", "a ? b : @");
    check("switch(a){case location:b}", "switch(a){case @:b}");
    check("async location => location", "async @ => @");
    check("return\nlocation", "return\n@");
    check("loc\\u0061tion = 1", "@ = 1");
}

#[test]
fn members_are_renamed() {
    check("window.location", "window.@");
    check("a?.location", "a?.@");
    check("a/**/./*x*/location", "a/**/./*x*/@");
    check("self[\"location\"]", "self[\"@\"]");
    check("f()[ 'location' ].x", "f()[ '@' ].x");
    check("a?.['location']", "a?.['@']");
    check("1..location", "1..@");
}

#[test]
fn other_names_stay() {
    stays("locations; $location; location$; _location; mylocation");
    stays("this.#location");
    stays("a.locations; a.$location");
}

#[test]
fn keys_stay() {
    stays("x = {location: 1}");
    stays("x = {a, location: 1, b: {location: 2}}");
    stays("x = {location() {}}");
    stays(
        "x = {get location() {}, set location(a) {}, async location() {}, *location() {}, async *location() {}}",
    );
    stays("x = {'location': 1, \"location\": 2}");
    stays("f({location : 1})");
    stays("['location']; return ['location']");
    check("x = {a: location, b: c ? location : location}", "x = {a: @, b: c ? @ : @}");
    check("x = {[location]: 1}", "x = {[@]: 1}");
}

#[test]
fn short_keys_are_written_out() {
    check("x = {location}", "x = {location: @}");
    check("x = {a, location, b}", "x = {a, location: @, b}");
    check("f({ location /* here */ })", "f({ location: @ /* here */ })");
    check("return {location}", "return {location: @}");
    check("a => ({location})", "a => ({location: @})");
}

#[test]
fn patterns_take_the_new_member() {
    check("const {location} = window", "const {@} = window");
    check("let {a, location: b} = window", "let {a, @: b} = window");
    check("var {document: {location}} = window", "var {document: {@}} = window");
    check("({location = 1} = window)", "({@ = 1} = window)");
}

#[test]
fn labels_stay() {
    stays("location: for(;;) { break location; continue location }");
    check("break\nlocation", "break\n@");
}

#[test]
fn members_of_classes_stay() {
    stays("class A { location = 1; location() {} get location() {} static location; *location() {} }");
    check(
        "class A extends B { a = location; b() { return location } }",
        "class A extends B { a = @; b() { return @ } }",
    );
    check(
        "class A { a = 1\n location = 2\n b = this.location }",
        "class A { a = 1\n location = 2\n b = this.@ }",
    );
}

#[test]
fn texts_and_comments_stay() {
    stays("'location' + \"location\" + `location`");
    stays("// location\n/* location */ 'a\\'location'");
    stays("<!-- location\n--> location\na");
    stays("#!/usr/bin/location\n");
    check("a-->location", "a-->@");
    check("`a ${location} b ${`${location}`}`", "`a ${@} b ${`${@}`}`");
    check("`a ${{location}} location`", "`a ${{location: @}} location`");
}

#[test]
fn slashes_divide_or_quote() {
    stays("x = /location/; y = a.match(/'/) ; 'location'");
    check("a / location / b", "a / @ / b");
    check("a++ / location", "a++ / @");
    check("(a) / location", "(a) / @");
    check("if (a) /'/.test(location)", "if (a) /'/.test(@)");
    check("x = /[/']/ ; location", "x = /[/']/ ; @");
    check("}\n/'/.test(location)", "}\n/'/.test(@)");
    check("return /'/.test(location)", "return /'/.test(@)");
    check("x = {a: 1} / location / 2", "x = {a: 1} / @ / 2");
}

#[test]
fn imports_lead_into_the_archive() {
    let to = "/web/2026js_/http://example.org";
    check("import '/x.js'", &format!("import '{to}/x.js'"));
    check("import{a}from\"../x.js\";", &format!("import{{a}}from\"{to}/x.js\";"));
    check("import a, {b as c} from './x.js'", &format!("import a, {{b as c}} from '{to}/a/x.js'"));
    check("import * as a from 'http:\\/\\/example.org/'", &format!("import * as a from '{to}/'"));
    check("export * from '/x.js'", &format!("export * from '{to}/x.js'"));
    check("export {a} from '/x.js'", &format!("export {{a}} from '{to}/x.js'"));
    check("import('/x.js').then()", &format!("import('{to}/x.js').then()"));
    stays("import a from 'react'; import b from 'data:text/javascript,1'");
    check("await import (name).then()", "await import (__varve_import(name)).then()");
    check("import(a(`${b}`), {with: c})", "import(__varve_import(a(`${b}`), {with: c}))");
    check(
        "class A { b = import(c); import(a, b) { import(c) } }",
        "class A { b = import(__varve_import(c)); import(a, b) { import(__varve_import(c)) } }",
    );
    check(
        "({import(a) {}, b: import(c), async import(d) {}})",
        "({import(a) {}, b: import(__varve_import(c)), async import(d) {}})",
    );
    stays("import(); a.import(b); import.meta.url; import(/* a */ 'b')");
    stays("text = \"import a from '/x.js'\"; from('/x.js'); a.import('/x.js')");
    stays("`\nimport a from '/x.js'\n`");
}

#[test]
fn modules_agree_on_the_new_name() {
    check("import {location, location as a} from 'x'", "import {@, @ as a} from 'x'");
    check("export {location, a as location}", "export {@, a as @}");
    check("export const location = 1", "export const @ = 1");
}

#[test]
fn what_is_not_closed_harms_nothing() {
    stays("'location");
    stays("`location");
    stays("/* location");
    check("a = 'x\nlocation", "a = 'x\n@");
    check("}}}))]]location", "}}}))]]@");
    check("((([[{{location", "((([[{{@");
}

#[test]
fn depth_is_bounded() {
    let limits = Limits { depth_max: 10, ..Limits::default() };
    let mut stream = Stream::new(&limits, false);
    let mut out = Vec::new();
    stream.feed(b"location;[[[[[[[[[[[[location", &place(), &mut out);
    stream.finish(&place(), &mut out);
    assert!(stream.is_cut());
    assert_eq!(String::from_utf8(out).unwrap(), "__varve_location;[[[[[[[[[[[[location");
}

#[test]
fn what_is_held_is_bounded() {
    let limits = Limits { value_bytes_max: 100, ..Limits::default() };
    for start in ["location", "import '", "a['location", "a", "1", "location/*"] {
        let mut stream = Stream::new(&limits, false);
        let mut out = Vec::new();
        for _ in 0..1000 {
            stream.feed(if start.len() == 1 { start.as_bytes() } else { b"          " }, &place(), &mut out);
            assert!(stream.held.len() <= 300, "{start} {}", stream.held.len());
        }
    }
}
