//! Comma-separated values (RFC 4180), written and read.

/// One record and the line it begins at.
pub(super) struct Record {
    pub line: usize,
    pub fields: Vec<String>,
}

/// Adds a line. Fields that hold a comma, a quote or a line end are quoted.
pub(super) fn write_line<'a>(text: &mut String, fields: impl Iterator<Item = &'a str>) {
    for (place, field) in fields.enumerate() {
        if place > 0 {
            text.push(',');
        }
        if field.contains([',', '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&field.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(field);
        }
    }
    text.push('\n');
}

/// All records of a text that begins at line `first` of its file. Empty lines are skipped.
pub(super) fn read(text: &str, first: usize) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    let mut letters = text.chars().peekable();
    let mut line = first;
    while letters.peek().is_some() {
        let mut record = Record { line, fields: Vec::new() };
        loop {
            let mut field = String::new();
            if letters.next_if_eq(&'"').is_some() {
                loop {
                    match letters.next() {
                        Some('"') if letters.next_if_eq(&'"').is_some() => field.push('"'),
                        Some('"') => break,
                        Some(letter) => {
                            line += usize::from(letter == '\n');
                            field.push(letter);
                        }
                        None => return Err(format!("line {}: a quotation mark is not closed", record.line)),
                    }
                }
            }
            while let Some(letter) = letters.next_if(|letter| !matches!(letter, ',' | '\n' | '\r')) {
                field.push(letter);
            }
            record.fields.push(field);
            if letters.next_if_eq(&',').is_none() {
                break;
            }
        }
        letters.next_if_eq(&'\r');
        letters.next_if_eq(&'\n');
        line += 1;
        if record.fields != [""] {
            records.push(record);
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let lines = [vec!["a", "b,c", "d \"e\""], vec!["", "two\nlines", "x"], vec!["last", "", ""]];
        let mut text = String::new();
        for line in &lines {
            write_line(&mut text, line.iter().copied());
        }
        let records = read(&text, 1).unwrap();
        assert_eq!(records.iter().map(|record| record.fields.clone()).collect::<Vec<_>>(), lines);
        assert_eq!(records.iter().map(|record| record.line).collect::<Vec<_>>(), [1, 2, 4]);
    }

    #[test]
    fn other_line_ends_and_an_open_quote() {
        let records = read("a,b\r\n\r\nc,d", 5).unwrap();
        assert_eq!(records.iter().map(|record| record.line).collect::<Vec<_>>(), [5, 7]);
        assert_eq!(read("a\n\"b", 1).err().as_deref(), Some("line 2: a quotation mark is not closed"));
    }
}
