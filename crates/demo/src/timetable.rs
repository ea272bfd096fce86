//! The ferry's timetable: a PDF of one page, written here so that its two versions differ where the times do.

use std::fmt::Write as _;

use crate::answer::Answer;
use crate::edition::Edition;

const PDF: &str = "application/pdf";

/// Departures from Town Quay and from Easterbank.
const SUMMER: [(&str, &str); 9] = [
    ("06.07", "06.30"),
    ("07.07", "07.30"),
    ("08.07", "08.30"),
    ("10.07", "10.30"),
    ("12.07", "12.30"),
    ("14.07", "14.30"),
    ("16.07", "16.30"),
    ("18.07", "18.30"),
    ("20.07", "20.30"),
];
const WINTER: [(&str, &str); 6] = [
    ("07.07", "07.30"),
    ("08.07", "08.30"),
    ("11.07", "11.30"),
    ("14.07", "14.30"),
    ("16.07", "16.30"),
    ("18.07", "18.30"),
];

pub(crate) fn find(edition: Edition, path: &str) -> Option<Answer> {
    let (season, times) = match edition.number {
        1 | 2 => ("Summer timetable, until 8 November 2026", SUMMER.as_slice()),
        _ => ("Winter timetable, from 9 November 2026", WINTER.as_slice()),
    };
    (path == "/files/ferry-timetable.pdf").then(|| Answer::ok(PDF, document(&page(season, times))))
}

/// What is drawn: an A5 page, in points from its lower left corner.
fn page(season: &str, times: &[(&str, &str)]) -> String {
    let mut page = String::from("0.07 0.27 0.31 rg 0 485 420 110 re f\n0.95 0.69 0.20 rg 0 481 420 4 re f\n");
    let mut text = |font: &str, size: u8, left: i32, bottom: i32, words: &str| {
        let colour = if bottom > 481 { "1 1 1" } else { "0.11 0.14 0.15" };
        // Writing to a string does not fail.
        let _ = writeln!(page, "BT {colour} rg /{font} {size} Tf {left} {bottom} Td ({words}) Tj ET");
    };
    text("F2", 26, 36, 540, "Ferry Heron");
    text("F1", 13, 36, 515, "Siltmere Town Quay - Easterbank, 11 minutes");
    text("F2", 13, 36, 450, season);
    text("F2", 11, 36, 420, "Town Quay");
    text("F2", 11, 220, 420, "Easterbank");
    let mut bottom = 396;
    for (out, back) in times {
        text("F1", 15, 36, bottom, out);
        text("F1", 15, 220, bottom, back);
        bottom -= 24;
    }
    text("F1", 10, 36, bottom - 16, "Single 2 crowns. Children, dogs and bicycles travel free.");
    text("F1", 10, 36, bottom - 32, "The carriage of geese is forbidden.");
    text("F1", 9, 36, 36, "Printed by The Siltmere Lantern, www.siltmere.example");
    page
}

/// The file around the page: objects one after another, and a table of where each begins.
fn document(page: &str) -> Vec<u8> {
    let stream = format!("<< /Length {} >>\nstream\n{page}endstream", page.len());
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
        &stream,
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        "<< /Title (Timetable of the ferry Heron) /Author (The Siltmere Lantern) >>",
    ];
    let mut file = String::from("%PDF-1.4\n");
    let mut places = String::new();
    for (number, object) in (1..).zip(objects) {
        let _ = writeln!(places, "{:010} 00000 n ", file.len());
        let _ = write!(file, "{number} 0 obj\n{object}\nendobj\n");
    }
    let start = file.len();
    let count = objects.len() + 1;
    let _ = write!(
        file,
        "xref\n0 {count}\n0000000000 65535 f \n{places}trailer\n<< /Size {count} /Root 1 0 R /Info 7 0 R >>\n\
         startxref\n{start}\n%%EOF\n"
    );
    file.into_bytes()
}
