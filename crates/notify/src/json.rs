//! Groups of notices in JSON: the same in the spool's files and in what webhooks send.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::message::Group;
use crate::notice::{Notice, Severity};

/// A group.
#[derive(Serialize, Deserialize)]
pub(crate) struct JsonGroup {
    kind: String,
    severity: String,
    count: u64,
    first: String,
    last: String,
    notices: Vec<JsonNotice>,
}

#[derive(Serialize, Deserialize)]
struct JsonNotice {
    at: String,
    severity: String,
    subject: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    about: Vec<(String, String)>,
}

impl JsonGroup {
    /// As it is written.
    pub(crate) fn of(group: &Group) -> JsonGroup {
        let notices = group.notices.iter().map(|notice| JsonNotice {
            at: notice.at.to_string(),
            severity: notice.severity.word().to_owned(),
            subject: notice.subject.clone(),
            lines: notice.lines.clone(),
            about: notice.about.clone(),
        });
        JsonGroup {
            kind: group.kind.clone(),
            severity: group.severity.word().to_owned(),
            count: group.count,
            first: group.first.to_string(),
            last: group.last.to_string(),
            notices: notices.collect(),
        }
    }

    /// As it was meant; `None` if it is damaged.
    pub(crate) fn read(self) -> Option<Group> {
        let kind = self.kind;
        let time = |text: &str| text.parse::<Timestamp>().ok();
        let severity = |text: &str| text.parse::<Severity>().ok();
        let notices = self.notices.into_iter().map(|notice| {
            let (at, severity) = (time(&notice.at)?, severity(&notice.severity)?);
            let JsonNotice { subject, lines, about, .. } = notice;
            Some(Notice { at, kind: kind.clone(), severity, subject, lines, about }.bounded())
        });
        let notices = notices.collect::<Option<Vec<Notice>>>()?;
        let (first, last) = (time(&self.first)?, time(&self.last)?);
        Some(Group { severity: severity(&self.severity)?, count: self.count, first, last, notices, kind })
    }
}
