//! The opponent as XBoard announces it: by `name`, `rating` and `computer`, each on its own and in any order.

/// Ratings that mean something; XBoard says 0 where it knows none.
const RATINGS: std::ops::RangeInclusive<i32> = 100..=4000;

/// What was said since the last `new`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct AnnouncedOpponent {
    pub name: String,
    pub rating: i32,
    pub is_computer: bool,
}

impl AnnouncedOpponent {
    /// The value of UCI's option `UCI_Opponent`: title, rating, computer or human, name. Empty when nothing was said.
    pub fn uci_value(&self) -> String {
        if *self == AnnouncedOpponent::default() {
            return String::new();
        }
        let rating = if RATINGS.contains(&self.rating) { self.rating.to_string() } else { "none".to_owned() };
        let kind = if self.is_computer { "computer" } else { "human" };
        format!("none {rating} {kind} {}", self.name).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_left_out() {
        let said = |name: &str, rating, is_computer| {
            AnnouncedOpponent { name: name.to_owned(), rating, is_computer }.uci_value()
        };
        assert_eq!(said("", 0, false), "");
        assert_eq!(said("Ann Lee", 1500, false), "none 1500 human Ann Lee");
        assert_eq!(said("Ann", 0, false), "none none human Ann");
        assert_eq!(said("", 0, true), "none none computer");
        assert_eq!(said("", 9000, true), "none none computer");
    }
}
