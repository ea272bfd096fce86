//! CSV.

use std::time::Duration;

use watchlist::{Limits, Pace, table};

use super::{left_out, list, rules, triggers};

#[test]
fn columns_go_by_many_names() {
    let list = list(
        "Name;Website;Interval (min);Folder;Tag;Active;XPath;colour\r\nShop;https://example.org/;90;a/b;x, y;no;//h1;red\r\n\r\n;;;;;;;\r\nBad;nowhere;;;;;;\r\n",
    );
    let entry = &list.entries[0];
    assert_eq!((entry.title.as_deref(), entry.url.as_str()), (Some("Shop"), "https://example.org/"));
    assert_eq!(entry.pace, Pace::Every(Duration::from_secs(5400)));
    assert_eq!((entry.folder.join("|"), entry.tags.join("|")), ("a|b".to_owned(), "x|y".to_owned()));
    assert!(entry.is_paused);
    assert_eq!(rules(&entry.only), ["xpath://h1"]);
    assert_eq!(
        left_out(&list),
        [
            "line 1: the column `colour` is not understood",
            "line 5: `nowhere` is no URL; it would begin with https:// or http://"
        ]
    );
}

#[test]
fn cells_may_have_several_lines() {
    let list = list(
        "\u{feff}url,every,only,triggers,quiet,headers\nhttps://example.org/,adaptive 10m..1d,\"css:.a\n//b\",\"appears x\nnumber up 3 n\",22:00-07:00 Europe/Prague,\"A: b\nnone\"\n",
    );
    let entry = &list.entries[0];
    assert_eq!(entry.pace.to_string(), "adaptive 10m..24h");
    assert_eq!(rules(&entry.only), ["css:.a", "xpath://b"]);
    assert_eq!(triggers(&entry.triggers), ["appears x", "number up 3 n"]);
    assert_eq!(entry.quiet.as_ref().unwrap().to_string(), "22:00-07:00 Europe/Prague");
    assert_eq!(entry.unsupported, ["column `headers`: `none` has no colon"]);
}

#[test]
fn what_makes_no_sense_is_told() {
    let list = list("url,every,paused,quiet,triggers\nhttps://example.org/,60,perhaps,late,boo,more\n");
    let told = &list.entries[0].unsupported;
    assert_eq!(told.len(), 5, "{told:?}");
    assert_eq!(told[0], "column `every`: `60` is no time such as `90s`, `1h30m`, `2 days` or `daily`");
}

#[test]
fn damage_is_told_with_its_line() {
    let fault = |text: &str| table::read(text, &Limits::default()).unwrap_err().to_string();
    assert_eq!(
        fault("url,title\nhttps://a.example/,x\nhttps://b.example/,\"open\nhttps://c.example/,y\n"),
        "line 3: a quote is opened here and never closed"
    );
    assert_eq!(fault("a,b\n1,2\n"), "line 1: no column is named `url`");
    assert_eq!(fault(""), "line 1: there is no row of names");
    assert_eq!(fault(&format!("url{}\n", ",a".repeat(300))), "line 1: there are more than 200 columns");
}

#[test]
fn formulas_are_disarmed_and_read_back() {
    let entry = watchlist::Entry {
        title: Some("=1+1".to_owned()),
        notes: Some("'x".to_owned()),
        ..watchlist::Entry::new("https://a.example/")
    };
    let written = table::write(std::slice::from_ref(&entry));
    assert!(written.text.contains(",'=1+1,"), "{}", written.text);
    assert_eq!(table::read(&written.text, &Limits::default()).unwrap().entries, [entry]);
}
