//! Pages of results say when they were measured and are found from the index.

use crate::sources;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Does the text have a date such as 17 November 2026?
fn has_date(text: &str) -> bool {
    let words: Vec<&str> =
        text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let number = |word: &str, least: u32, most: u32| {
        word.parse().is_ok_and(|found: u32| (least..=most).contains(&found))
    };
    words
        .windows(3)
        .any(|date| number(date[0], 1, 31) && MONTHS.contains(&date[1]) && number(date[2], 2020, 2100))
}

#[test]
fn every_page_of_results_has_a_date_and_is_in_the_index() {
    let index = sources::read("results/README.md");
    for page in sources::files("results", ".md").iter().filter(|page| *page != "results/README.md") {
        assert!(has_date(&sources::read(page)), "{page}: no date");
        let name = page.trim_start_matches("results/");
        assert!(index.contains(&format!("({name})")), "{page} is not in results/README.md");
    }
}

#[test]
fn dates_are_recognised() {
    assert!(has_date("Date: 17 November 2026."));
    assert!(!has_date("in November 2026, 17 games"));
}
