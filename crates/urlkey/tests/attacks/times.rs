//! Any text as a time, in every notation: an error or a time, and a time can be written and read again.

use urlkey::time;

pub(crate) fn attack(bytes: &[u8]) {
    // Longer texts are no times; their start may be one.
    let text = String::from_utf8_lossy(bytes.get(..64).unwrap_or(bytes));
    assert_eq!(time::pad_earliest(&text).len(), 14);
    assert_eq!(time::pad_latest(&text).len(), 14);
    let _ = time::parse_14_clamped(&text);
    let iso =
        [time::parse_warc_date(&text), time::parse_iso(&text)].map(|date| date.map(|date| date.timestamp));
    let others = [
        time::parse_14(&text),
        time::parse_14_latest(&text),
        time::parse_http_date(&text),
        time::parse_lenient(&text),
    ];
    for timestamp in iso.into_iter().chain(others).flatten() {
        let precise = time::parse_warc_date(&time::to_warc_date_precise(timestamp));
        assert_eq!(precise.map(|date| date.timestamp), Ok(timestamp), "{text:?}");
        let second = time::parse_warc_date(&time::to_warc_date(timestamp)).unwrap().timestamp;
        assert_eq!(time::parse_14(&time::to_14(timestamp)), Ok(second), "{text:?}");
        assert_eq!(time::parse_http_date(&time::to_http_date(timestamp)), Ok(second), "{text:?}");
        assert_eq!(time::to_17(timestamp).len(), 17);
    }
}
