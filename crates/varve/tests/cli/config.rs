//! `varve init` and `varve config`: settings written, found, laid over each other, and complained about.

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::{Run, varve};

/// `varve config` in a folder with this varve.toml.
fn config(words: &[&str], settings: &str) -> Run {
    varve(["config"].iter().chain(words)).file("varve.toml", settings)
}

/// One setting that holds, and who says so.
#[track_caller]
fn holds(run: &mut Run, name: &str) -> (Value, Vec<String>) {
    let output = run.output();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = String::from_utf8(output.stdout).unwrap();
    let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let row = rows.into_iter().find(|row| row["name"] == name).unwrap();
    let from = row["from"].as_array().unwrap().iter().map(|from| from.as_str().unwrap().to_owned()).collect();
    (row["value"].clone(), from)
}

#[test]
fn help_of_init() {
    assert_snapshot!(varve(["init", "--help"]).shown());
}

#[test]
fn help_of_config() {
    assert_snapshot!(varve(["config", "--help"]).shown());
}

#[test]
fn help_of_show() {
    let help = varve(["config", "show", "--help"]).shown();
    // The settings are those of `harvest`, whose help is looked at there.
    assert_snapshot!(help.split("What belongs to it:").next().unwrap());
}

#[test]
fn help_of_check() {
    assert_snapshot!(varve(["config", "check", "--help"]).shown());
}

#[test]
fn a3_init_makes_an_empty_archive_with_commented_settings() {
    let mut run = varve(["init", "a"]);
    assert_snapshot!(run.shown());
    let settings = std::fs::read_to_string(run.folder().join("a/varve.toml")).unwrap();
    assert_snapshot!("a3_settings_of_a_new_archive", settings);
    for folder in ["store", "work", "filters"] {
        assert!(run.folder().join("a").join(folder).is_dir(), "{folder}");
    }
    let check = varve(["config", "check", "--archive", "a"]).inside(run.folder()).shown();
    assert!(check.contains("a/varve.toml: sound"), "{check}");
}

#[test]
fn a3_init_makes_no_archive_of_one() {
    let mut first = varve(["init", "a"]);
    first.output();
    assert_snapshot!(varve(["init", "a"]).inside(first.folder()).shown());
    let forced = varve(["init", "a", "--force"]).inside(first.folder()).output();
    assert_eq!(forced.status.code(), Some(1), "a varve.toml is never replaced");
}

#[test]
fn a3_init_takes_a_folder_that_is_not_empty_only_if_it_is_meant() {
    assert_snapshot!(varve(["init", "."]).file("letter.txt", "").shown());
    let mut forced = varve(["init", ".", "--force", "--json"]).file("letter.txt", "");
    let made: Value = serde_json::from_slice(&forced.output().stdout).unwrap();
    assert_eq!((&made["archive"], &made["settings"]), (&".".into(), &"varve.toml".into()));
    assert!(forced.folder().join("letter.txt").exists());
    assert_snapshot!("init_over_a_file", varve(["init", "letter.txt"]).file("letter.txt", "").shown());
}

#[test]
fn a1_where_there_are_no_settings_the_built_in_ones_hold_with_a_warning() {
    let output = varve(["config", "show", "--changed"]).shown();
    assert_snapshot!("a1_no_archive", output);
    assert_snapshot!("a1_no_file", varve(["config", "show", "--changed", "--archive", "."]).shown());
    assert_snapshot!("a1_no_config", varve(["config", "show", "--changed", "--config", "mine.toml"]).shown());
}

#[test]
fn a1_settings_that_cannot_be_read_count_as_none() {
    let run = varve(["config", "show", "--changed", "--archive", "."]);
    std::fs::create_dir(run.folder().join("varve.toml")).unwrap();
    assert_snapshot!({ run }.shown());
}

#[test]
fn settings_that_are_wrong_are_an_error_with_its_line() {
    let wrong = "[harvest]\ndepth = 3\nmax_object = 5\n\n[harvset]\n";
    assert_snapshot!(config(&["show"], wrong).shown());
}

#[test]
fn check_tells_every_mistake_at_its_line() {
    let wrong = r#"
depth = 3
format = 2
[harvest]
max_object = 5
max_time = "3 weeks"
robots = "obay"
exclude_urls = ["("]
gzip_level = 12
concurrency = "many"
sitemaps = "yes"
proxy = "ftp://proxy"
filters = [1]
scope = "hots"
[harvset]
[profiles.slow]
dealy = "5s"
[filters.mime]
include = ["text"]
exclude_all = true
[[sheets]]
prefixes = ["example.org"]
delay = true
"#;
    assert_snapshot!(config(&["check"], wrong).shown());
    let rows = config(&["check", "--json"], wrong).output();
    assert_eq!(rows.status.code(), Some(1));
    let first = String::from_utf8(rows.stdout).unwrap().lines().next().map(str::to_owned).unwrap();
    assert_snapshot!("check_json", first);
}

#[test]
fn check_tells_what_is_no_toml() {
    assert_snapshot!("check_syntax", config(&["check"], "[harvest]\ndepth = \nwidth = 3 4\n").shown());
    let run = varve(["config", "check"]).file("varve.toml", b"# \xe4\n[harvest]\n# ok\n\xff\n");
    assert_snapshot!("check_bytes", { run }.shown());
}

#[test]
fn check_offers_the_table_that_was_meant() {
    #[track_caller]
    fn told(settings: &str, message: &str, hint: &str) {
        let output = config(&["check"], settings).output();
        let told = String::from_utf8(output.stdout).unwrap();
        assert_eq!(told, format!("varve.toml, {message}\n  hint: {hint}\n"), "{settings}");
    }
    let all =
        "there are `[harvest]`, `[profiles.NAME]`, `[filters.NAME]`, `[[sheets]]`, `[notify]` and `[disk]`";
    told("[profile.x]\ndepth = 3", "line 1: there is no table `[profile.x]`", "did you mean `[profiles.x]`?");
    told("[profile]\ndepth = 3", "line 1: there is no table `[profile]`", "did you mean `[profiles.NAME]`?");
    told("[filtres.mime]", "line 1: there is no table `[filtres.mime]`", "did you mean `[filters.mime]`?");
    told("[mime]", "line 1: there is no table `[mime]`", "did you mean `[filters.mime]`?");
    told("[broad]", "line 1: there is no table `[broad]`", "did you mean `[profiles.broad]`?");
    told("[harvset]\ndepth = 3", "line 1: there is no table `[harvset]`", "did you mean `[harvest]`?");
    told(
        "[[sheet]]\nskip = true",
        "line 1: there is no list of tables `[[sheet]]`",
        "did you mean `[[sheets]]`?",
    );
    told("[crawler]\ndepth = 3", "line 1: there is no table `[crawler]`", all);
    told(
        "[harvest.profiles.x]\ndepth = 3",
        "line 1: there is no table `profiles.x` within `[harvest]`",
        "did you mean `[profiles.x]`?",
    );
    told(
        "[harvest]\n[harvest.filters.mime]",
        "line 2: there is no table `filters.mime` within `[harvest]`",
        "did you mean `[filters.mime]`?",
    );
    told(
        "[profiles]\ndepth = 3",
        "line 2: `depth` does not stand below `[profiles]`",
        "write it below `[profiles.NAME]`",
    );
    told(
        "[filters.mim]\ninclude = []",
        "line 2: there is no setting `include`",
        "did you mean `[filters.mime]`?",
    );
    told(
        "dpeth = 3",
        "line 1: there is no part `dpeth`",
        "did you mean `depth`? it stands below `[harvest]`",
    );
    told(
        "[harvest]\ndepth = 3\nwidth = 1\ndepth = 4",
        "line 4: `depth` is set a second time, after line 2",
        "take one of them out",
    );
    told(
        "[harvest]\n\n[profiles.x]\n[harvest]",
        "line 4: `[harvest]` begins a second time, after line 1",
        "write the settings of both below one of them",
    );
}

#[test]
fn check_tells_what_shows_only_in_use() {
    let settings = r#"
[harvest]
profile = "selectiv"
[profiles.a]
profile = "b"
[profiles.b]
profile = "a"
[profiles.c]
profile = "none"
traps = ["traps.txt"]
[profiles.d]
filters = ["mine"]
[profiles.e]
filters = ["mine2", "mim"]
[profiles.f]
sheets = ["no.toml"]
"#;
    let run = config(&["check"], settings).file("traps.txt", "# traps\n.*/calendar/.*\n.*(.*\n");
    std::fs::create_dir(run.folder().join("filters")).unwrap();
    assert_snapshot!(run.file("filters/mine.wasm", "no module").shown());
}

#[test]
fn a2_each_layer_holds_over_the_one_before() {
    let settings = "[harvest]\ndepth = 1\nwidth = 7\n[profiles.deep]\nprofile = 'broad'\ndepth = 9\n";
    let show = |more: &[&str]| config(&[&["show", "--json"], more].concat(), settings);
    assert_eq!(holds(&mut show(&[]), "depth"), (1.into(), vec!["varve.toml:2".to_owned()]));
    assert_eq!(holds(&mut show(&[]), "domain_max_objects"), ("none".into(), Vec::new()));
    let deep = || show(&["--profile", "deep"]);
    assert_eq!(holds(&mut deep(), "depth"), (9.into(), vec!["varve.toml:6".to_owned()]));
    assert_eq!(holds(&mut deep(), "width"), (7.into(), vec!["varve.toml:3".to_owned()]));
    let broad = vec!["profile broad".to_owned()];
    assert_eq!(holds(&mut deep(), "domain_max_objects"), (5000.into(), broad));
}

#[test]
fn show_tells_what_a_harvest_with_the_same_options_would_use() {
    let settings = "[harvest]\ndepth = 1\n[profiles.deep]\ndepth = 9\n";
    let show = |more: &[&str]| config(&[&["show", "--json", "--profile", "deep"], more].concat(), settings);
    assert_eq!(holds(&mut show(&[]), "depth").0, 9);
    let flag = |name: &str| vec![name.to_owned()];
    assert_eq!(holds(&mut show(&["--depth", "4"]), "depth"), (4.into(), flag("--depth")));
    assert_eq!(holds(&mut show(&["--set", "depth=5"]), "depth"), (5.into(), flag("--set")));
    assert_eq!(holds(&mut show(&["--set", "path_depth=30"]), "path_depth"), (30.into(), flag("--set")));
    assert_eq!(holds(&mut show(&["--max-bytes", "10MB"]), "max_bytes"), ("10MB".into(), flag("--max-bytes")));
    let wrong = show(&["--set", "path_dept=30"]).shown();
    assert!(wrong.starts_with("exit: 2\n") && wrong.contains("did you mean `path_depth`?"), "{wrong}");
    let wrong = config(&["show", "--profile", "deeep"], settings).shown();
    assert!(wrong.starts_with("exit: 2\n") && wrong.contains("did you mean `deep`?"), "{wrong}");
}

/// B9, B11: the budgets of the source.
#[test]
fn b9_built_in_profiles_have_their_budgets() {
    for (profile, objects) in [("selective", 25_000), ("broad", 5000)] {
        let mut run = config(&["show", "--json", "--profile", profile], "");
        assert_eq!(holds(&mut run, "domain_max_objects").0, objects);
        let mut run = config(&["show", "--json", "--profile", profile], "");
        assert_eq!(holds(&mut run, "on_budget").0, "ask");
    }
    let unknown = config(&["show", "--profile", "selektive"], "").shown();
    assert!(unknown.contains("there is no profile `selektive`"), "{unknown}");
    assert!(unknown.contains("did you mean `selective`?"), "{unknown}");
}

#[test]
fn what_is_shown_can_be_read_again() {
    let settings = "[harvest]\nproxy = 'socks5://p'\nseeds = ['s.txt']\nagent = \"a \\\"b\\\"\"\nyears = '1990-2030'\n\
                    [filters.size]\nmax = '10MB'\n[[sheets]]\nname = 'slow'\nprefixes = ['example.org']\ndelay = 10\n";
    let shown = config(&["show", "--changed"], settings).output();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert_snapshot!(shown);
    let again = config(&["show", "--changed"], &shown).output();
    let plain = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split("  #").next().unwrap().trim().to_owned()).collect()
    };
    assert_eq!(plain(&String::from_utf8(again.stdout).unwrap()), plain(&shown));
}

#[test]
fn an_archive_is_found_upwards_by_option_by_environment_and_by_the_settings() {
    let mut made = varve(["init", "a"]);
    made.output();
    let folder = made.folder().to_owned();
    let deep = folder.join("a/work/below");
    std::fs::create_dir_all(&deep).unwrap();
    let is_found = |run: Run| {
        let shown = { run }.shown();
        assert!(shown.contains("the archive has no capture of"), "{shown}");
    };
    let url = "http://example.org/";
    is_found(varve(["versions", url]).inside(&deep));
    is_found(varve(["versions", url, "--archive", "a"]).inside(&folder));
    is_found(varve(["versions", url]).env("VARVE_ARCHIVE", "a").inside(&folder));
    is_found(
        varve(["versions", url, "--config", "elsewhere.toml"])
            .inside(&folder)
            .file("elsewhere.toml", "archive = 'a'"),
    );
    assert_snapshot!("no_archive_around", varve(["versions", url]).shown());
    assert_snapshot!("no_archive_there", varve(["versions", url, "--archive", "b"]).shown());
}
