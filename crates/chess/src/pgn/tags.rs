//! Tag pairs, in the order they stand.

/// The seven that every game in an archive has, in their order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// A name may occur more than once in a careless file; the first one counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    pub const fn new() -> Tags {
        Tags(Vec::new())
    }

    /// The seven tags of the roster, all unknown.
    pub fn roster() -> Tags {
        let unknown = |name: &str| match name {
            "Date" => "????.??.??",
            "Result" => "*",
            _ => "?",
        };
        Tags(ROSTER.iter().map(|name| (name.to_string(), unknown(name).to_string())).collect())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A number such as `WhiteElo`.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.trim().parse().ok()
    }

    /// Replaces the first of this name, or adds it: a tag of the roster in its place, any other at the end.
    pub fn set(&mut self, name: &str, value: &str) {
        if let Some((_, old)) = self.0.iter_mut().find(|(key, _)| key == name) {
            value.clone_into(old);
            return;
        }
        let rank = |name: &str| ROSTER.iter().position(|tag| *tag == name).unwrap_or(ROSTER.len());
        let place = match rank(name) {
            rank_of_new if rank_of_new < ROSTER.len() => {
                self.0.iter().position(|(key, _)| rank(key) > rank_of_new).unwrap_or(self.0.len())
            }
            _ => self.0.len(),
        };
        self.0.insert(place, (name.to_string(), value.to_string()));
    }

    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| key != name);
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As the file has it, order and repetitions included.
    pub(super) fn push(&mut self, name: String, value: String) {
        self.0.push((name, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roster_keeps_its_order() {
        let mut tags = Tags::new();
        for name in ["ECO", "Black", "Event", "WhiteElo", "White"] {
            tags.set(name, "x");
        }
        tags.set("ECO", "B01");
        let names: Vec<&str> = tags.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["Event", "White", "Black", "ECO", "WhiteElo"]);
        assert_eq!(tags.get("ECO"), Some("B01"));
        assert_eq!(tags.get("Site"), None);
    }
}
