//! Documents over time, as columns in an SVG. Colours and fonts are the style sheet's.

use std::fmt::Write as _;

use api::jobs::Timeline;

use crate::filters::span;

/// The most columns.
const COLUMNS_MAX: usize = 60;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 180.0;
/// Room for what the lines stand for, and for the times below.
const LEFT: f64 = 56.0;
const BELOW: f64 = 30.0;
const ABOVE: f64 = 10.0;

/// The chart; `None` if there is too little to see.
pub(crate) fn over_time(timeline: &Timeline) -> Option<String> {
    let (counts, interval_ms) = columns(timeline);
    let most = counts.iter().copied().max().filter(|_| counts.len() > 1)?;
    let top = round_up(most);
    let (width, height) = (WIDTH - LEFT, HEIGHT - BELOW - ABOVE);
    let step = width / counts.len() as f64;
    let total: u64 = counts.iter().sum();
    let lasting = span(interval_ms as f64 * counts.len() as f64 / 1000.0);
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{total} documents in {lasting}, at most {most} in an interval of {}\">",
        interval(interval_ms)
    );
    for part in 0..=2_u64 {
        let y = ABOVE + height * (1.0 - part as f64 / 2.0);
        let _ = write!(svg, "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
        let label = top as f64 * part as f64 / 2.0;
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 8.0,
            y + 4.0
        );
    }
    for (index, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let tall = height * *count as f64 / top as f64;
        let (x, y) = (LEFT + step * index as f64, ABOVE + height - tall);
        let _ = write!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"/>",
            (step - 1.0).max(step * 0.6)
        );
    }
    for (part, anchor) in [(0.0, "start"), (0.5, "middle"), (1.0, "end")] {
        let (x, y) = (LEFT + width * part, HEIGHT - 5.0);
        let at = interval_ms as f64 * counts.len() as f64 * part;
        let _ = write!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", after(at));
    }
    svg.push_str("</svg>");
    Some(svg)
}

/// Few enough columns that each can be seen.
fn columns(timeline: &Timeline) -> (Vec<u64>, i64) {
    let (mut counts, mut interval_ms) = (timeline.documents.clone(), timeline.interval_ms);
    while counts.len() > COLUMNS_MAX {
        counts = counts.chunks(2).map(|pair| pair.iter().sum()).collect();
        interval_ms *= 2;
    }
    (counts, interval_ms)
}

/// The next of 2, 10, 20, 100, …: halves of it are whole.
fn round_up(most: u64) -> u64 {
    let mut top = 2_u64;
    while top < most {
        top = if top.to_string().starts_with('2') { top.saturating_mul(5) } else { top.saturating_mul(2) };
        if top == u64::MAX {
            break;
        }
    }
    top
}

/// How long after the start.
fn after(milliseconds: f64) -> String {
    if milliseconds < 2000.0 { format!("{milliseconds:.0} ms") } else { span(milliseconds / 1000.0) }
}

fn interval(milliseconds: i64) -> String {
    if milliseconds < 1000 { format!("{milliseconds} ms") } else { span(milliseconds as f64 / 1000.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_ends_at_a_round_number() {
        assert_eq!([1, 2, 3, 10, 11, 21, 101, 999].map(round_up), [2, 2, 10, 10, 20, 100, 200, 1000]);
        assert_eq!(round_up(u64::MAX), u64::MAX);
    }

    #[test]
    fn one_interval_is_no_chart() {
        assert_eq!(over_time(&Timeline::default()), None);
    }
}
