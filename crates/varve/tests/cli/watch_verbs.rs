//! `varve watch`: what is watched is added, listed, changed, tried, told and taken over from others.

use std::io::Write as _;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use serde_json::Value;
use testkit::post_office::{Manner, PostOffice};
use testkit::server::{Place, Server, reply};

use crate::run::varve;
use crate::watching::World;

#[test]
fn help_of_watch() {
    assert_snapshot!("help_of_watch", varve(["watch", "--help"]).shown());
    for verb in ["add", "ls", "show", "edit", "rm", "pause", "run", "import", "export", "test"] {
        assert_snapshot!(format!("help_of_watch_{verb}"), varve(["watch", verb, "--help"]).shown());
    }
    assert_snapshot!("help_of_diff", varve(["diff", "--help"]).shown());
    assert_snapshot!("help_of_available", varve(["available", "--help"]).shown());
}

#[test]
fn a_watch_is_added_shown_changed_and_ended() {
    let world = World::new();
    world.site.page("/", "<main>one</main>");
    let url = world.url();
    let words =
        ["watch", "add", &url, "--title", "Home", "--tag", "city", "--every", "6h", "--only", "css:main"];
    let (exit, rows) = world.rows(&words);
    assert_eq!((exit, &rows[0]["id"], &rows[0]["every"]), (0, &1.into(), &"6h".into()));
    assert_eq!((&rows[0]["owner"], &rows[0]["version"]), (&"me".into(), &0.into()));
    let (exit, said) = world.said(&["watch", "add", &url]);
    assert!(exit == 1 && said.contains("watches") && said.contains("hint: `varve watch edit"), "{said}");
    // Somebody else may watch it as well.
    assert_eq!(world.out(&["watch", "add", &url, "--person", "ben"]).0, 0);
    let (exit, said) = world.said(&["watch", "show", &url]);
    assert!(exit == 1 && said.contains("several people watch") && said.contains("--person"), "{said}");
    let (_, shown) = world.out(&["watch", "show", &url, "--person", "me"]);
    assert!(shown.contains("only      css:main\n") && shown.contains("every     6h\n"), "{shown}");
    let count = |words: &[&str]| world.rows(&[&["watch", "ls"], words].concat()).1.len();
    assert_eq!((count(&[]), count(&["--person", "ben"]), count(&["--find", "city"])), (2, 1, 1));
    assert_eq!(count(&["--find", "village"]), 0);

    // Only what is given changes.
    let (_, rows) = world.rows(&["watch", "edit", "1", "--never", ".ad", "--quiet-hours", "22:00-07:00 UTC"]);
    let rules = &rows[0]["rules"];
    assert_eq!((&rules["only"][0], &rules["never"][0]), (&"css:main".into(), &".ad".into()));
    assert_eq!((&rows[0]["title"], &rows[0]["quiet"]), (&"Home".into(), &"22:00-07:00 UTC".into()));
    let (_, rows) = world.rows(&["watch", "edit", "1", "--only", "none", "--quiet-hours", "none"]);
    assert_eq!((rows[0]["rules"]["only"].as_array().unwrap().len(), &rows[0]["quiet"]), (0, &"".into()));
    let (_, rows) = world.rows(&["watch", "pause", "1"]);
    assert_eq!(rows[0]["paused"], true);
    let (_, out) = world.out(&["watch", "ls", "--person", "me"]);
    assert!(out.contains("paused"), "{out}");
    let (_, rows) = world.rows(&["watch", "pause", "1", "--resume"]);
    assert_eq!(rows[0]["paused"], false);

    assert_eq!(world.out(&["watch", "rm", "1", "2"]).0, 0);
    let (exit, said) = world.said(&["watch", "show", "1"]);
    assert!(exit == 1 && said.contains("there is no watch 1") && said.contains("varve watch ls"), "{said}");
    let (exit, said) = world.said(&["watch", "show", &url]);
    assert!(exit == 1 && said.contains("nobody watches") && said.contains("varve watch add"), "{said}");
    let (_, said) = world.said(&["watch", "ls"]);
    assert!(said.contains("nothing is watched yet"), "{said}");
}

#[test]
fn what_makes_no_sense_is_told_with_its_option() {
    let world = World::new();
    let url = world.url();
    for (words, told) in [
        (["--only", "css:main["], "--only: "),
        (["--never", "regex:/a(/"], "--never: "),
        (["--trigger", "sold out"], "--trigger: "),
        (["--every", "often"], "--every: `often` is no time"),
        (["--notify", "slack://token"], "--notify: `slack:…` cannot be used"),
        (["--quiet-hours", "22:00-07:00 Europe/Prag"], "--quiet-hours: there is no time zone `Europe/Prag`"),
        (["--digest", "adaptive 1h..2h"], "--digest: it is one time"),
        (["--share-min", "5"], "write a share such as 5% or 0.05"),
    ] {
        let (exit, said) = world.said(&["watch", "add", &url, words[0], words[1]]);
        assert!(exit == 2 && said.contains(told), "{words:?}: {said}");
    }
    let (exit, said) = world.said(&["watch", "add", "mailto:ann@example.org"]);
    assert_eq!(exit, 2, "{said}");
    let (exit, said) = world.said(&["diff", &url, "3"]);
    assert!(exit == 2 && said.contains("write v3 for version 3"), "{said}");
    assert_eq!(world.rows(&["watch", "ls"]).1.len(), 0);
}

#[test]
fn rules_are_tried_before_they_are_kept() {
    let world = World::new();
    world.site.page("/", "<h1>Fish</h1><p>Cod: 12 left</p><p class=ad>Buy!</p>");
    let url = world.url();
    let (exit, out) = world.out(&["watch", "test", &url, "--never", ".ad"]);
    assert_eq!((exit, out.as_str()), (0, "kept of version 1, without 1 of its lines:\nFish\nCod: 12 left\n"));
    world.site.page("/", "<h1>Fish</h1><p>Cod: sold out</p><p class=ad>Now!</p>");
    assert_eq!(world.out(&["check", &url]).0, 3);
    let words = ["watch", "test", &url, "--never", ".ad", "--trigger", "appears sold out"];
    let (_, out) = world.out(&words);
    assert!(
        out.contains("from version 1 to 2: would be told, ") && out.contains("`sold out` appeared"),
        "{out}"
    );
    assert!(out.contains("\n-Cod: 12 left\n+Cod: sold out\n") && !out.contains("Now!"), "{out}");
    let (_, rows) = world.rows(&["watch", "test", &url, "--trigger", "appears caviar"]);
    assert_eq!(
        (&rows[0]["last_change"]["meaningful"], &rows[0]["version"]["number"]),
        (&false.into(), &2.into())
    );
    // Nothing was kept.
    assert_eq!(world.rows(&["watch", "ls"]).1.len(), 0);
}

/// From a change to a letter and an event, each with the difference, and none of them twice.
#[test]
fn news_are_told_by_mail_and_by_webhook_once() {
    let office = PostOffice::open(Manner::default());
    let hook = Server::answering(&Place::default(), |wire, _| {
        wire.send(&reply("202 Accepted", &[], b""))?;
        Ok(false)
    });
    let world = World::with(&format!(
        "every = '1s'\n[notify]\nallow_private = true\nsmtp = 'smtp://{}'\n",
        office.address()
    ));
    world.site.page("/", "<h1>Fish</h1><p>Cod: 12 left</p>");
    let (url, to) = (world.url(), format!("http://{}/a/secret", hook.address()));
    let words = [
        "watch",
        "add",
        &url,
        "--title",
        "Fish",
        "--notify",
        "ann@library.example",
        "--notify",
        &to,
        "--every",
        "1s",
    ];
    let (exit, said) = world.said(&words);
    assert!(exit == 0 && !said.contains("secret"), "{said}");
    let once =
        || world.run(&["watch", "run", "--once", "--json"]).env("VARVE_WEBHOOK_SECRET", "sediment").output();
    let rows = |output: &std::process::Output| -> Vec<Value> {
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let first = rows(&once());
    assert_eq!((&first[0]["checks"], &first[0]["news"]), (&1.into(), &0.into()));
    world.site.page("/", "<h1>Fish</h1><p>Cod: sold out</p>");
    // A check by hand finds it; whoever makes the rounds tells it.
    assert_eq!(world.out(&["check", &url]).0, 3);
    assert_eq!((office.letters().len(), hook.seen().len()), (0, 0));
    let (_, shown) = world.out(&["watch", "ls"]);
    assert!(shown.contains("message to ann@library.example") && !shown.contains("secret"), "{shown}");
    let output = once();
    assert_eq!(output.status.code(), Some(0));
    let letter = office.letters().remove(0);
    assert!(letter.text.contains("Subject: Fish changed"), "{}", letter.text);
    assert_eq!(letter.to, ["<ann@library.example>"]);
    let request = String::from_utf8(hook.last("/a/secret").request).unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("webhook-signature: v1,"), "{head}");
    let event: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&event["type"], &event["subject"]), (&"varve.watch.changed".into(), &url.as_str().into()));
    assert_eq!((&event["data"]["before"], &event["data"]["after"]), (&1.into(), &2.into()));
    assert!(event["data"]["text"].as_str().unwrap().contains("sold out"));
    once();
    assert_eq!((office.letters().len(), hook.seen().len()), (1, 1));
    let (_, rows) = world.rows(&["watch", "show", "1"]);
    assert_eq!((&rows[0]["news"], rows[0]["untold"].as_array().unwrap().len()), (&1.into(), 0));
    assert_eq!(rows[0]["last_news_rows"][0]["kind"], "changed");
}

/// Mistakes in `[watch]` are told at their line, and what shows only in use as well.
#[test]
fn mistakes_in_the_settings_are_told() {
    let settings = r#"
[watch]
every = "often"
notify = ["ann", "slack://token/secret"]
quiet = "22:00-07:00 Mars"
gone_after = -1
evry = "1h"
"#;
    let mut run = varve(["config", "check"]).file("varve.toml", settings);
    assert_snapshot!("watch_mistakes", run.shown());
    let settings = "[watch]\nnotify = 'ann@library.example'\ntemplates = 'letters'\n";
    assert_snapshot!("watch_in_use", varve(["config", "check"]).file("varve.toml", settings).shown());
}

/// Letters can be of one's own words.
#[test]
fn letters_are_put_together_by_templates_of_ones_own() {
    let office = PostOffice::open(Manner::default());
    let settings = format!(
        "templates = 'letters'\n[notify]\nallow_private = true\nsmtp = 'smtp://{}'\n",
        office.address()
    );
    let world = World::with(&settings);
    std::fs::create_dir(world.path().join("letters")).unwrap();
    std::fs::write(
        world.path().join("letters/subject.txt"),
        "Look: {% for item in news %}{{ item.title }}{% endfor %}",
    )
    .unwrap();
    world.site.page("/", "<p>one");
    let url = world.url();
    assert_eq!(world.out(&["watch", "add", &url, "--title", "Fish", "--notify", "ann@library.example"]).0, 0);
    assert_eq!(world.out(&["watch", "run", "--once"]).0, 0);
    world.site.page("/", "<p>two");
    assert_eq!(world.out(&["check", &url]).0, 3);
    assert_eq!(world.out(&["watch", "run", "--once"]).0, 0);
    let letter = office.letters().remove(0);
    assert!(letter.text.contains("Subject: Look: Fish\r\n"), "{}", letter.text);
    std::fs::write(world.path().join("letters/subject.txt"), "{{ nwes }}").unwrap();
    let (exit, said) = world.said(&["watch", "run", "--once"]);
    assert!(exit == 1 && said.contains("the template for the subject, line 1: there is no `nwes`"), "{said}");
}

/// One process at a time makes the rounds of an archive.
#[test]
fn who_comes_second_is_told_that_the_rounds_are_made() {
    let world = World::new();
    let clock = fetch::Clock::new(jiff::Timestamp::now);
    let settings = watch::Settings::new(clock, testkit::ids::record_ids());
    world.monitor(settings, async |monitor| {
        let rounds = watch::Rounds::begin(monitor, watch::Tempo::default()).await.unwrap();
        assert!(rounds.is_some());
        let (exit, said) = world.said(&["watch", "run"]);
        assert!(exit == 1 && said.contains("another process makes the rounds"), "{said}");
        // All else can be done meanwhile.
        assert_eq!(world.out(&["watch", "add", &world.url()]).0, 0);
    });
}

/// Ctrl-C ends the rounds, and what was captured is in the archive.
#[test]
fn the_rounds_are_made_until_somebody_ends_them() {
    let world = World::new();
    world.site.page("/", "one");
    assert_eq!(world.out(&["watch", "add", &world.url()]).0, 0);
    let child = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["watch", "run"])
        .current_dir(world.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let settings =
        watch::Settings::new(fetch::Clock::fixed(jiff::Timestamp::now()), testkit::ids::record_ids());
    world.monitor(settings, async |monitor| {
        let page = monitor.resource(&world.url()).unwrap();
        testkit::until_async("the page is checked", async || page.last_checked().await.unwrap().is_some())
            .await;
    });
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("1 check, 0 changed, 0 not there; 0 news"), "{said}");
    assert_eq!(world.out(&["get", &world.url()]), (0, "one".to_owned()));
    assert_eq!(std::fs::read_dir(world.path().join("work")).unwrap().count(), 0);
}

/// What is asked for by POST elsewhere would be another document here; and a page that stands twice is one.
#[test]
fn what_is_asked_for_otherwise_is_paused_and_doubles_are_counted() {
    let world = World::new();
    let jobs = "\
url: https://form.example/
method: POST
data: a=b
---
url: https://plain.example/
---
url: https://plain.example/
";
    std::fs::write(world.path().join("urls.yaml"), jobs).unwrap();
    let (_, said) = world.said(&["watch", "import", "urls.yaml", "--dry-run"]);
    assert!(said.contains("2 would be added, 1 watched already"), "{said}");
    let (exit, said) = world.said(&["watch", "import", "urls.yaml"]);
    assert!(exit == 0 && said.contains("2 added, 1 watched already"), "{said}");
    assert!(said.contains("it is paused, because another document would be watched"), "{said}");
    let (_, rows) = world.rows(&["watch", "ls"]);
    assert_eq!(rows.iter().map(|row| row["paused"] == true).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn lists_of_others_are_taken_over() {
    let world = World::new();
    let jobs = "\
name: Prices
url: https://shop.example/
filter:
  - css: .price
  - shellpipe: sort -n
---
name: Broken
url: https://broken.example/
filter:
  - xpath: //h1[
---
url: https://plain.example/
";
    std::fs::write(world.path().join("urls.yaml"), jobs).unwrap();
    let (exit, said) = world.said(&["watch", "import", "urls.yaml", "--dry-run"]);
    assert!(exit == 1 && said.contains("2 would be added, 1 left out because of their rules"), "{said}");
    assert!(
        said.contains("https://shop.example/: line 5: filter `shellpipe`: no commands are run"),
        "{said}"
    );
    assert!(said.contains("https://broken.example/ is left out: --only: "), "{said}");
    assert_eq!(world.rows(&["watch", "ls"]).1.len(), 0);
    let (exit, rows) = world.rows(&["watch", "import", "urls.yaml"]);
    let results: Vec<&str> = rows.iter().map(|row| row["result"].as_str().unwrap()).collect();
    assert_eq!((exit, results.as_slice()), (1, ["added", "refused", "added"].as_slice()));
    let (exit, said) = world.said(&["watch", "import", "urls.yaml"]);
    assert!(exit == 1 && said.contains("0 added, 2 watched already"), "{said}");
    // The first checks are spread over the pause, which is four hours here.
    let (_, rows) = world.rows(&["watch", "ls"]);
    let due = |row: &Value| row["due"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    let apart = due(&rows[1]).duration_since(due(&rows[0])).as_secs();
    assert!((9_000..10_000).contains(&apart), "{apart}");
    let mut missing = varve(["watch", "import", "none.yaml"]).inside(world.path());
    assert_eq!(missing.output().status.code(), Some(1));
    let (exit, said) = world.said(&["watch", "import", "varve.toml"]);
    assert!(exit == 1 && said.contains("hint: `--format` says what it is"), "{said}");
}

/// The address of a webhook is a secret; only the list that is imported again has it.
#[test]
fn only_an_export_tells_the_address_of_a_webhook() {
    let world = World::new();
    let url = "https://a.example/";
    let add = ["watch", "add", url, "--notify", "https://hooks.example.org/T0/secret", "--json"];
    let shown =
        [&add[..], &["watch", "edit", url, "--title", "A", "--json"], &["watch", "pause", "1", "--json"]];
    let listed = [&["watch", "ls", "--json"][..], &["watch", "show", "1", "--json"], &["watch", "show", "1"]];
    for words in shown.into_iter().chain(listed) {
        let (exit, said) = world.said(words);
        assert!(exit == 0 && said.contains("https://hooks.example.org/…"), "{words:?}: {said}");
        assert!(!said.contains("secret"), "{words:?}: {said}");
    }
    let (_, list) = world.out(&["watch", "export"]);
    assert!(list.contains("https://hooks.example.org/T0/secret"), "{list}");
    // What is shown is no address.
    let (exit, said) = world.said(&["watch", "edit", "1", "--notify", "https://hooks.example.org/…"]);
    assert!(exit != 0 && said.contains("write it in full"), "{said}");
}

#[test]
fn what_is_exported_is_imported_as_it_was() {
    let world = World::new();
    let words = [
        "watch",
        "add",
        "https://a.example/",
        "--title",
        "A",
        "--only",
        "css:main",
        "--trigger",
        "appears x",
    ];
    assert_eq!(
        world.out(&[&words[..], &["--notify", "ann@library.example", "--words-min", "3"]].concat()).0,
        0
    );
    let (exit, said) = world.said(&["watch", "export", "-o", "list.jsonl"]);
    assert!(
        exit == 0 && said.contains("not in the list: https://a.example/: the least number of words"),
        "{said}"
    );
    let other = World::new();
    let list = std::fs::read(world.path().join("list.jsonl")).unwrap();
    let mut import = other.run(&["watch", "import", "-", "--person", "ben"]).stdin(list);
    assert_eq!(import.output().status.code(), Some(0));
    let (_, rows) = other.rows(&["watch", "ls"]);
    assert_eq!((&rows[0]["owner"], &rows[0]["title"]), (&"ben".into(), &"A".into()));
    assert_eq!(rows[0]["rules"]["triggers"][0], "appears x");
    assert_eq!(rows[0]["notify"][0], "ann@library.example");
    for format in ["csv", "opml"] {
        let (exit, text) = world.out(&["watch", "export", "--format", format]);
        assert!(exit == 0 && text.contains("https://a.example/"), "{text}");
    }
}

/// A long list is taken over in steps, and taken over again changes nothing.
#[test]
fn a_long_list_is_imported_once() {
    let world = World::new();
    let mut list: String = (0..1_200).map(|number| format!("https://a.example/{number}\n")).collect();
    list.push_str("https://a.example/7\n");
    std::fs::write(world.path().join("urls.txt"), list).unwrap();
    let (exit, out) = world.out(&["watch", "import", "--format", "urls", "urls.txt", "--dry-run"]);
    assert_eq!((exit, out.as_str()), (0, "1,200 would be added, 1 watched already\n"));
    let (exit, rows) = world.rows(&["watch", "import", "--format", "urls", "urls.txt"]);
    assert_eq!((exit, rows.len()), (0, 1_201));
    assert_eq!((&rows[1_199]["result"], &rows[1_199]["watch"]), (&"added".into(), &1_200.into()));
    // Named twice: the second time it is watched.
    assert_eq!((&rows[1_200]["result"], &rows[1_200]["watch"]), (&"watched".into(), &8.into()));
    let (exit, out) = world.out(&["watch", "import", "--format", "urls", "urls.txt"]);
    assert_eq!((exit, out.as_str()), (0, "0 added, 1,201 watched already\n"));
}

/// The data folder of changedetection.io as it lies there.
#[test]
fn a_folder_of_changedetection_is_taken_over() {
    let world = World::new();
    let folder = world.path().join("datastore/0f0e");
    std::fs::create_dir_all(&folder).unwrap();
    let watch =
        r#"{"uuid": "0f0e", "url": "https://a.example/", "title": "A", "include_filters": [".price"]}"#;
    std::fs::File::create(folder.join("watch.json")).unwrap().write_all(watch.as_bytes()).unwrap();
    let (exit, said) = world.said(&["watch", "import", "datastore"]);
    assert!(exit == 0 && said.starts_with("1 added"), "{said}");
    let (_, rows) = world.rows(&["watch", "ls"]);
    assert_eq!(rows[0]["rules"]["only"][0], "css:.price");
}

/// Noise is left out unless it is asked for.
#[test]
fn noise_is_left_out_of_a_difference_and_shown_on_request() {
    let world = World::new();
    let page = |fish: &str, visitors: u32| format!("<p>{fish}</p><p>{visitors} visitors</p>");
    world.site.page("/", &page("cod", 1201));
    let url = world.url();
    assert_eq!(world.out(&["check", &url]).0, 0);
    world.site.page("/", &page("cod", 1202));
    let (exit, said) = world.said(&["diff", &url, "v1", "now"]);
    assert!(exit == 0 && said.contains("1 place left out as noise; `--noise` shows them"), "{said}");
    let (exit, out) = world.out(&["diff", &url, "v1", "v2", "--noise"]);
    assert!(exit == 3 && out.contains("+1202 visitors"), "{out}");
    world.site.page("/", &page("eel", 1203));
    let (exit, out) = world.out(&["diff", &url, "v2"]);
    assert!(exit == 3 && out.contains("\n-cod\n+eel\n") && !out.contains("-1202"), "{out}");
    assert_eq!(world.out(&["diff", &url, "v2", "v3", "--never", "text:eel", "--never", "text:cod"]).0, 0);
}
