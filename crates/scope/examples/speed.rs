//! How long one decision takes: `cargo run --release -p scope --example speed`.
//!
//! Some 4,000 prefixes, 50 traps, a few sheets, and the links of an ordinary crawl: three quarters in scope, the rest not.
#![allow(clippy::print_stdout, clippy::disallowed_methods, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Instant;

use scope::{Candidate, Patterns, Plan, Preset, Scope, Seeds, Shapes, Sheet, Sheets};
use url::Url;

const ROUNDS: usize = 200;

fn main() {
    let urls = urls();
    let via = Url::parse("https://www.site5.example.org/").unwrap();
    let candidates: Vec<Candidate<'_>> =
        urls.iter().map(|(url, hops)| Candidate::link(url, &via, hops)).collect();
    let measure = |name: &str, scope: &Scope| {
        let (nanoseconds, count) = best(&candidates, |candidate| scope.decide(candidate).is_in);
        println!("{name:22} {nanoseconds:6.0} ns a link, {count} of {} in", candidates.len());
    };
    for preset in ["prefix", "host", "domain", "multi"] {
        measure(preset, &Scope::new(&plan(preset.parse().unwrap())).unwrap());
    }
    // Where the time goes.
    let host = plan(Preset::Host);
    measure("host, no traps", &Scope::new(&Plan { traps: Patterns::default(), ..host.clone() }).unwrap());
    measure("host, no sheets", &Scope::new(&Plan { sheets: Sheets::default(), ..host.clone() }).unwrap());
    measure("host, no years", &Scope::new(&Plan { years: None, ..host.clone() }).unwrap());
    measure(
        "host, one seed",
        &Scope::new(&Plan { seeds: Seeds::parse("example.org").unwrap(), ..host }).unwrap(),
    );
    measure(
        "nothing but a preset",
        &Scope::new(&Plan { preset: "multi".parse().unwrap(), ..Plan::default() }).unwrap(),
    );
    let shapes = Shapes::default();
    let (nanoseconds, _) = best(&urls, |(url, _)| shapes.note(url).is_some());
    println!("{:22} {nanoseconds:6.0} ns a link", "shapes");
}

/// The quickest of several rounds for each hundred, so that a busy machine disturbs little; per item, and what came out.
fn best<T>(items: &[T], work: impl Fn(&T) -> bool) -> (f64, usize) {
    let (mut total, mut count) = (0.0, 0);
    for chunk in items.chunks(100) {
        let mut quickest = f64::MAX;
        let mut found = 0;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            found = chunk.iter().filter(|item| work(black_box(item))).count();
            quickest = quickest.min(start.elapsed().as_secs_f64());
        }
        total += quickest;
        count += found;
    }
    (total * 1e9 / items.len() as f64, count)
}

fn plan(preset: Preset) -> Plan {
    let mut seeds = String::new();
    for number in 0..3000 {
        seeds.push_str(&format!("https://www.site{number}.example.org/news/\n"));
        if number % 3 == 0 {
            seeds.push_str(&format!("-http://(org,example,site{number},www,)/news/private/\n"));
        }
    }
    let traps: Vec<String> = (0..50)
        .map(|number| match number % 5 {
            0 => format!(r".*action=buy{number}.*"),
            1 => format!(r".*shop{number}\.example.*kurv\.asp.*"),
            2 => format!(r"^https?://cal{number}\.example\.org/\d{{4}}/.*$"),
            3 => format!(r".*/w{number}/index\.php\?title=Speci[ae]l:Recentchanges.*"),
            _ => format!(r".*sessionid{number}=[0-9a-f]{{32}}"),
        })
        .collect();
    let sheet = Sheet {
        name: "slow".to_owned(),
        prefixes: (0..50).map(|number| format!("http://(org,example,site{number},")).collect(),
        delay: Some(5.0),
        ..Sheet::default()
    };
    Plan {
        preset,
        seeds: Seeds::parse(&seeds).unwrap(),
        traps: Patterns::new("traps", traps.iter().map(String::as_str)).unwrap(),
        sheets: Sheets::new(&[sheet]).unwrap(),
        depth: Some(20),
        ..Plan::default().in_year(2026)
    }
}

fn urls() -> Vec<(Url, &'static str)> {
    let mut urls = Vec::new();
    for number in 0..4000 {
        let text = match number % 8 {
            0 => format!(
                "https://www.site{number}.example.org/news/2026/11/some-longer-title-of-an-article-{number}.html"
            ),
            1 => format!("https://www.site{}.example.org/news/?id={number}&view=full&lang=en", number % 3000),
            2 => format!(
                "https://www.site{}.example.org/news/images/2026/photo-{number}-1024x768.jpg",
                number % 3000
            ),
            3 => format!("https://cdn.example.net/assets/js/app.{number}.min.js"),
            4 => format!("https://www.site{}.example.org/news/a/b/c/d/page{number}", number % 3000),
            5 => format!("https://other{number}.example.com/some/where/else.html"),
            6 => format!("https://www.site{}.example.org/news/tag/archive", number % 3000),
            _ => format!("https://www.site{}.example.org/news/article/{number}", number % 3000),
        };
        let hops = if number % 4 == 3 { "LLE" } else { "LLL" };
        urls.push((Url::parse(&text).unwrap(), hops));
    }
    urls
}
