//! Judging what checks have found: is it worth telling, and whom?
//!
//! A watch remembers up to which version it was judged. What is behind that is judged version by version; that it was, what was learned, the
//! news and who is to be told of it are one transaction. After a crash whatever was not judged is judged again, and nothing twice.

use ::db::Row;
use diff::{Habits, RuleSet};
use jiff::Timestamp;
use url::Url;

use crate::address;
use crate::change::Change;
use crate::check::Check;
use crate::comparing::Comparison;
use crate::db::{get, json, number};
use crate::error::Error;
use crate::moment;
use crate::monitor::Monitor;
use crate::news::{News, NewsKind};
use crate::telling::Telling;
use crate::version::Version;
use crate::watching::{Pace, Watch, read};

/// Cases that are read at once.
const PAGE: u32 = 200;
/// Bytes of the text, and of the HTML, that are kept of a change.
const TEXT_BYTES: usize = 16 << 10;

/// A watch with something to judge.
struct Case {
    watch: i64,
    resource: i64,
    url: Url,
    rules: RuleSet,
    telling: Telling,
    judged: u32,
    told: u32,
    newest: u32,
    missed: u32,
    is_gone: bool,
    large: Option<i64>,
    calm: u32,
    pace: Pace,
    last_check: Option<i64>,
    checked_at: Timestamp,
    gone_after: u32,
}

/// News before they have a number.
struct Draft {
    kind: NewsKind,
    at: Timestamp,
    mark: i64,
    versions: Option<(u32, u32)>,
    summary: String,
    text: String,
    html: String,
}

/// What has become of a case, all of it written in one go.
struct Ruling {
    draft: Option<Draft>,
    habits: Option<Habits>,
    step: Step,
}

/// How a watch moves on.
enum Step {
    Judged { from: u32, to: u32, pace: Pace },
    Gone(bool),
    Large(i64),
}

impl Case {
    fn of(row: &Row) -> Result<Case, Error> {
        let url: String = get(row, "url")?;
        let url = Url::parse(&url).map_err(|_| Error::Damaged { what: "url", found: url })?;
        Ok(Case {
            watch: get(row, "id")?,
            resource: get(row, "resource")?,
            url,
            rules: read("rules", &get::<String>(row, "rules")?)?,
            telling: read("notify", &get::<String>(row, "notify")?)?,
            judged: number("judged", get(row, "judged")?)?,
            told: number("told", get(row, "told")?)?,
            newest: number("newest", get(row, "newest")?)?,
            missed: number("missed", get(row, "missed")?)?,
            is_gone: get::<i64>(row, "is_gone")? != 0,
            large: get(row, "large")?,
            calm: number("calm", get(row, "calm")?)?,
            pace: Pace::of(get(row, "every")?, get(row, "least")?, get(row, "most")?)?,
            last_check: get(row, "last_check")?,
            checked_at: moment::parse("checked_at", get::<Option<i64>>(row, "checked_at")?.unwrap_or(0))?,
            gone_after: number("gone_after", get(row, "gone_after")?)?,
        })
    }
}

impl Monitor {
    /// Judges all that checks have found and nobody has judged yet; what is worth telling of it. Whoever makes checks for watches does that
    /// after them, and once at the beginning, for what a crash has left.
    ///
    /// # Errors
    /// When the database cannot be read or written. What was not judged is judged the next time.
    pub async fn judge(&self) -> Result<Vec<News>, Error> {
        self.judge_of(None).await
    }

    /// Checks the page of a watch now, as if it were due, and judges it for all who watch it.
    ///
    /// # Errors
    /// When there is no such watch, or the check could not be written down.
    pub async fn check_watch(&self, id: i64) -> Result<(Check, Vec<News>), Error> {
        let watch = self.watch(id).await?;
        let (check, resource) = self.check_watched(&watch).await?;
        let news = match resource {
            Some(_) => self.judge_of(resource).await?,
            None => Vec::new(),
        };
        Ok((check, news))
    }

    /// Checks what is watched; its URL's number if there is something to judge.
    pub(crate) async fn check_watched(&self, watch: &Watch) -> Result<(Check, Option<i64>), Error> {
        let url = address::parse(&watch.url, usize::MAX)?;
        self.check_and_see(&url, watch.wish.how).await
    }

    /// The same for the watches of one URL, by its number.
    pub(crate) async fn judge_of(&self, resource: Option<i64>) -> Result<Vec<News>, Error> {
        let mut news = Vec::new();
        let mut behind = 0;
        loop {
            let asked = ::db::query(include_str!("../sql/watch_pending.sql"));
            let asked = asked.bind(resource).bind(behind).bind(PAGE);
            let (cases, bad) = self.db().list_good("look for what is to be judged", asked, Case::of).await?;
            let Some(last) = cases.iter().map(|case| case.watch).chain(bad).max() else { break };
            behind = last;
            for case in cases {
                let url = case.url.clone();
                match self.rule(case).await {
                    Ok(told) => news.extend(told),
                    Err(error @ Error::Closed) => return Err(error),
                    // It is judged the next time; others need not wait for that.
                    Err(error) => tracing::error!("{url}: what was found is not judged yet: {error}"),
                }
            }
        }
        Ok(news)
    }

    /// Judges one watch: its new versions one after another, and whether it is there.
    async fn rule(&self, mut case: Case) -> Result<Vec<News>, Error> {
        let mut news = Vec::new();
        while case.judged > 0 && case.judged < case.newest {
            let (ruling, to, told) = self.of_version(&case).await?;
            news.extend(self.enact(&case, ruling).await?);
            (case.judged, case.told, case.calm) = (to, told, 0);
            if let Some(found) = self.db().watch(case.watch).await? {
                case.pace = found.wish.pace;
            }
        }
        if let Some(check) = case.large {
            let summary =
                "changed by its headers; it is too large to be taken, and was not compared".to_owned();
            let draft = self.of_check(NewsKind::Changed, check, summary).await?;
            let ruling = Ruling { draft, habits: None, step: Step::Large(check) };
            news.extend(self.enact(&case, ruling).await?);
        }
        let is_missing = case.gone_after > 0 && case.missed >= case.gone_after;
        let turned = match case.is_gone {
            false if is_missing => Some((NewsKind::Gone, true)),
            true if case.missed == 0 => Some((NewsKind::Back, false)),
            _ => None,
        };
        if let (Some((kind, is_gone)), Some(check)) = (turned, case.last_check) {
            let summary = match kind {
                NewsKind::Gone => format!("not there at {} checks in a row", case.missed),
                _ => "there again".to_owned(),
            };
            let draft = self.of_check(kind, check, summary).await?;
            let ruling = Ruling { draft, habits: None, step: Step::Gone(is_gone) };
            news.extend(self.enact(&case, ruling).await?);
        }
        Ok(news)
    }

    /// Judges the next version of a watch; which one, and the last that is told of then.
    async fn of_version(&self, case: &Case) -> Result<(Ruling, u32, u32), Error> {
        let to = case.judged + 1;
        let find = async |number: u32| -> Result<Version, Error> {
            let version = self.db().version(case.resource, number).await?;
            version.ok_or_else(|| Error::NoVersion(case.url.to_string()))
        };
        // Small changes add up until they pass a threshold; a trigger is set off by one step.
        let from = if case.rules.has_thresholds() && !case.rules.has_triggers() {
            case.told.max(1)
        } else {
            case.judged
        };
        let change = Change { before: find(from).await?, after: find(to).await?, is_first: false };
        let mut habits = self.habits(case.watch).await?;
        habits.rest(case.calm, &diff::Limits::default());
        let compared = self.compare_or_say_why(case, &change, &habits).await?;
        // What is different at every visit shows from one to the next.
        let step = match from == case.judged {
            true => compared.outcome.clone(),
            false => {
                let step = Change { before: find(case.judged).await?, ..change.clone() };
                self.compare_or_say_why(case, &step, &habits).await?.outcome
            }
        };
        if let Some(step) = step {
            habits.learn(step.all(), &diff::Limits::default());
        }
        let is_news = compared.is_meaningful(&case.rules);
        let draft = is_news.then(|| draft_of(&change, &compared));
        let told = if is_news { to } else { case.told };
        let step = Step::Judged { from: case.judged, to, pace: case.pace.after(is_news) };
        Ok((Ruling { draft, habits: Some(habits), step }, to, told))
    }

    /// Compares two versions. That one cannot be read any more is no reason to say nothing.
    async fn compare_or_say_why(
        &self,
        case: &Case,
        change: &Change,
        habits: &Habits,
    ) -> Result<Comparison, Error> {
        match self.compare(&case.url, change, &case.rules, habits).await {
            Err(Error::Lost { .. }) => {
                let fault = Some("a version cannot be read any more".to_owned());
                Ok(Comparison { outcome: None, old_text: String::new(), new_text: String::new(), fault })
            }
            compared => compared,
        }
    }

    /// News of a check.
    async fn of_check(&self, kind: NewsKind, check: i64, summary: String) -> Result<Option<Draft>, Error> {
        let found: Option<Check> = self.db().check(check).await?;
        let text = found.as_ref().and_then(|check| check.why.clone()).unwrap_or_default();
        let html = if text.is_empty() { String::new() } else { format!("<p>{}</p>", escaped(&text)) };
        let at = found.map_or_else(|| self.now(), |check| check.at);
        Ok(Some(Draft { kind, at, mark: -check, versions: None, summary, text, html }))
    }

    /// What was learned of a watch.
    pub(crate) async fn habits(&self, watch: i64) -> Result<Habits, Error> {
        let asked = ::db::query(include_str!("../sql/habit_find.sql")).bind(watch);
        let learned =
            self.db().one("look for what was learned", asked, |row| get::<String>(row, "learned")).await?;
        // What cannot be read any more is learned again.
        Ok(learned.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// Writes a ruling down: all of it, or nothing, and nothing if somebody else was quicker.
    async fn enact(&self, case: &Case, ruling: Ruling) -> Result<Option<News>, Error> {
        let failed = || Error::database("write a judgement down");
        let mut transaction = self.db().begin().await?;
        let step = match &ruling.step {
            Step::Judged { from, to, pace } => {
                let due = case.checked_at.checked_add(pace.pause()).unwrap_or(Timestamp::MAX);
                let told = if ruling.draft.is_some() { *to } else { 0 };
                ::db::query(include_str!("../sql/watch_judged.sql"))
                    .bind(case.watch)
                    .bind(*from)
                    .bind(*to)
                    .bind(told)
                    .bind(pace.numbers().0)
                    .bind(moment::to_number(due))
            }
            Step::Gone(is_gone) => {
                ::db::query(include_str!("../sql/watch_gone.sql")).bind(case.watch).bind(i64::from(*is_gone))
            }
            Step::Large(check) => {
                ::db::query(include_str!("../sql/watch_large.sql")).bind(case.watch).bind(*check)
            }
        };
        if step.execute(&mut transaction).await.map_err(failed())? == 0 {
            return Ok(None);
        }
        if let Some(habits) = &ruling.habits {
            let asked = ::db::query(include_str!("../sql/habit_save.sql")).bind(case.watch);
            asked.bind(json(habits)).execute(&mut transaction).await.map_err(failed())?;
        }
        let mut id = None;
        if let Some(draft) = ruling.draft {
            let versions = draft.versions.map(|(before, after)| (i64::from(before), i64::from(after)));
            let asked = ::db::query(include_str!("../sql/news_add.sql")).bind(case.watch);
            let asked = asked.bind(draft.kind.code()).bind(moment::to_number(draft.at)).bind(draft.mark);
            let asked = asked.bind(versions.map(|pair| pair.0)).bind(versions.map(|pair| pair.1));
            let asked = asked.bind(draft.summary).bind(draft.text).bind(draft.html);
            let row = asked.fetch_optional(&mut transaction).await.map_err(failed())?;
            id = row.map(|row| get::<i64>(&row, "id")).transpose()?;
        }
        if let Some(id) = id {
            let due = self.now().checked_add(case.telling.digest).unwrap_or(Timestamp::MAX);
            for address in &case.telling.to {
                // Programs want to know at once.
                let is_digest = !case.telling.digest.is_zero() && !crate::posting::is_program(address);
                let due = if is_digest { due } else { self.now() };
                let asked = ::db::query(include_str!("../sql/post_add.sql")).bind(id);
                let asked =
                    asked.bind(address.clone()).bind(i64::from(is_digest)).bind(moment::to_number(due));
                asked.execute(&mut transaction).await.map_err(failed())?;
            }
        }
        transaction.commit().await.map_err(failed())?;
        let Some(id) = id else { return Ok(None) };
        let asked = ::db::query(include_str!("../sql/news_behind.sql")).bind(id - 1).bind(1);
        self.db().one("look for news", asked, News::of).await
    }

    /// So many news before the one with this id, the newest first: of one watch, of one person, or of all.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn news(
        &self,
        watch: Option<i64>,
        person: Option<&str>,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<News>, Error> {
        let asked = ::db::query(include_str!("../sql/news_list.sql")).bind(before.unwrap_or(i64::MAX));
        let asked = asked.bind(watch).bind(person.map(str::to_owned)).bind(most);
        self.db().list("list news", asked, News::of).await
    }

    /// So many news behind the one with this id, the oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn news_behind(&self, id: i64, most: u32) -> Result<Vec<News>, Error> {
        let asked = ::db::query(include_str!("../sql/news_behind.sql")).bind(id).bind(most);
        self.db().list("list news", asked, News::of).await
    }

    /// The id of the last news; 0 if there are none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn last_news(&self) -> Result<i64, Error> {
        let asked = ::db::query(include_str!("../sql/news_last.sql"));
        Ok(self.db().one("look for news", asked, |row| get(row, "last")).await?.unwrap_or(0))
    }
}

fn draft_of(change: &Change, compared: &Comparison) -> Draft {
    let (before, after) = (&change.before, &change.after);
    let (mut summary, mut text, mut html) = match &compared.outcome {
        Some(outcome) => (outcome.summary(), outcome.text(TEXT_BYTES), outcome.html(TEXT_BYTES)),
        None => {
            let text = format!("another document: {} bytes, was {}", after.length, before.length);
            (text.clone(), text.clone(), format!("<p>{}</p>", escaped(&text)))
        }
    };
    if summary.is_empty() {
        summary = "changed".to_owned();
    }
    if let Some(fault) = &compared.fault {
        text = format!("not by its rules: {fault}\n{text}");
        html = format!("<p>not by its rules: {}</p>{html}", escaped(fault));
    }
    let versions = Some((before.number, after.number));
    let mark = i64::from(after.number);
    Draft { kind: NewsKind::Changed, at: after.at, mark, versions, summary, text, html }
}

/// Text as HTML has it.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '&' => html.push_str("&amp;"),
            '"' => html.push_str("&quot;"),
            char => html.push(char),
        }
    }
    html
}
