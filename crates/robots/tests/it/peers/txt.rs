//! Each peer's questions about robots.txt answered by our functions.

use robots::{Fetched, Limits, Patience, Policy, Robots, Verdict};
use serde_json::{Value, json};
use testkit::vectors;

pub(super) fn answer(case: &Value) -> Option<Value> {
    let input = &case["input"];
    let agent = agent(input);
    let url = input["url"].as_str().unwrap_or_default();
    Some(match case["op"].as_str()? {
        "allowed" | "can_fetch" => robots(input).allows(&agent, url).allowed.into(),
        "allowed_all" => robots(input).allows(&agent, "/").allowed.into(),
        "isAllowed" => on_site(input).map_or_else(undefined, |verdict| verdict.allowed.into()),
        "isDisallowed" => on_site(input).is_none_or(|verdict| !verdict.allowed).into(),
        "getMatchingLineNumber" => on_site(input)?.line.map_or_else(|| (-1).into(), |line| json!(line)),
        "crawl_delay" => delay_ms(input, &agent).map_or(Value::Null, |ms| json!(ms / 1000.0)),
        "crawl_delay_ms" => delay_ms(input, &agent).map_or(Value::Null, |ms| json!(ms)),
        "getCrawlDelay" => delay_ms(input, &agent).map_or_else(undefined, |ms| json!(ms / 1000.0)),
        "sitemaps" | "getSitemaps" => robots(input).sitemaps().collect(),
        "sitemap" => robots(input).sitemaps().next()?.into(),
        "robots_url" => robots::robots_url(url)?.into(),
        "valid_product_token" => robots::is_product_token(input.as_str()?).into(),
        "path_params_query" => robots::path_of(input.as_str()?).into(),
        "escape_pattern" => {
            String::from_utf8(robots::normal_pattern(input.as_str()?.as_bytes()).into_owned()).ok()?.into()
        }
        "directive_counts" => {
            let (valid, unknown) = robots(input).line_counts();
            json!({ "valid": valid, "unknown": unknown })
        }
        "status_policy" => status_policy(input)?,
        _ => return None,
    })
}

/// Real files parse, keep their rules for us, and say the same when only those are kept.
#[test]
fn robots_txt_of_real_sites_parse() {
    let Some(dir) = vectors::dir() else { return };
    let (mut files, mut with_rules) = (0, 0);
    for folder in std::fs::read_dir(dir.join("03-robots/files")).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let robots = Robots::parse(&std::fs::read(&path).unwrap(), &Limits::default());
            for url in ["/", "/search?q=a", "/wp-admin/", "/index.html"] {
                let kept = robots.only_for("varve");
                assert_eq!(robots.allows("varve", url), kept.allows("varve", url), "{}", path.display());
            }
            with_rules += usize::from(robots.line_counts().0 > 0);
            files += 1;
        }
    }
    // Some sites serve a page where robots.txt should be.
    assert!(files > 100 && with_rules * 10 > files * 9, "{with_rules} of {files} have rules");
}

fn robots(input: &Value) -> Robots {
    let text = match (input["robots_b64"].as_str(), input["rules"].as_array()) {
        (Some(packed), _) => data_encoding::BASE64.decode(packed.as_bytes()).unwrap(),
        (_, Some(rules)) => {
            let line =
                |rule: &Value| format!("{}: {}\n", rule[0].as_str().unwrap(), rule[1].as_str().unwrap());
            format!("User-agent: *\n{}", rules.iter().map(line).collect::<String>()).into_bytes()
        }
        _ => input["robots"].as_str().unwrap_or_default().as_bytes().to_vec(),
    };
    Robots::parse(&text, &Limits::default())
}

fn agent(input: &Value) -> String {
    if let Some(agents) = input["agents"].as_array() {
        return agents.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",");
    }
    let args = &input["args"];
    // `isAllowed(url, agent)` and `getCrawlDelay(agent)`.
    let by_place = args[1].as_str().or_else(|| args[0].as_str().filter(|_| args[1].is_null()));
    input["agent"].as_str().or(by_place).unwrap_or_default().to_owned()
}

/// This peer knows where its robots.txt lies and has no opinion about other sites.
fn on_site(input: &Value) -> Option<Verdict> {
    let site = robots::robots_url(input["robots_url"].as_str()?)?;
    let url = input["args"][0].as_str()?;
    let agent = input["args"][1].as_str().unwrap_or_default();
    (robots::robots_url(url)? == site).then(|| robots(input).allows(agent, url))
}

fn delay_ms(input: &Value, agent: &str) -> Option<f64> {
    robots(input).crawl_delay(agent).map(|delay| delay.as_secs_f64() * 1000.0)
}

fn status_policy(input: &Value) -> Option<Value> {
    let status = u16::try_from(input["http_status"].as_u64()?).ok()?;
    let now = "2026-11-16T00:00:00Z".parse().ok()?;
    let body = input["body"].as_str()?.as_bytes();
    let policy = Policy::from_fetch(Fetched::Status(status, body), now, &Limits::default());
    Some(policy.allows("any", "/", now, &Patience::default()).allowed.into())
}

fn undefined() -> Value {
    json!({ "$undefined": true })
}
