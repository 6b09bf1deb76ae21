//! The description of an experiment: a small tree of named values that comes from a TOML file, from flags, or from the
//! store of an earlier run. Readers take what they know; whatever is left over is an error that names it.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde_json::Value as Json;

/// A value: a word, a list, or more named values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Text(String),
    List(Vec<Node>),
    Table(Spec),
}

/// Named values in alphabetical order, so that equal descriptions are equal texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec(BTreeMap<String, Node>);

impl Spec {
    /// Reads a TOML text.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
        Ok(Self(table.into_iter().map(|(name, value)| (name, from_toml(value))).collect()))
    }

    /// Reads what [`Self::to_json`] wrote.
    pub fn from_json(text: &str) -> Result<Self, String> {
        match serde_json::from_str(text) {
            Ok(Json::Object(map)) => {
                Ok(Self(map.into_iter().map(|(name, value)| (name, from_json(value))).collect()))
            }
            Ok(_) => Err("expected a JSON object".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// One line of JSON, the same for equal descriptions.
    pub fn to_json(&self) -> String {
        to_json(&Node::Table(self.clone())).to_string()
    }

    /// The description as a TOML file that reads back as the same description.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        write_toml(self, "", &mut text);
        text
    }

    /// Sets a value; a name with dots, as in `options.Hash`, reaches into tables.
    pub fn set(&mut self, name: &str, value: Node) {
        let Some((table, rest)) = name.split_once('.') else {
            self.0.insert(name.to_owned(), value);
            return;
        };
        if let Some(Node::Table(inner)) = self.0.get_mut(table) {
            inner.set(rest, value);
        } else {
            let mut inner = Self::default();
            inner.set(rest, value);
            self.0.insert(table.to_owned(), Node::Table(inner));
        }
    }

    /// Sets a value in a table; its name is taken as it is, dots and all.
    pub fn set_in(&mut self, table: &str, name: &str, value: Node) {
        if let Some(Node::Table(inner)) = self.0.get_mut(table) {
            inner.0.insert(name.to_owned(), value);
        } else {
            let inner = Self(BTreeMap::from([(name.to_owned(), value)]));
            self.0.insert(table.to_owned(), Node::Table(inner));
        }
    }

    /// Adds to a list.
    pub fn push(&mut self, name: &str, value: Node) {
        match self.0.get_mut(name) {
            Some(Node::List(list)) => list.push(value),
            _ => {
                self.0.insert(name.to_owned(), Node::List(vec![value]));
            }
        }
    }

    /// Turns a list round.
    pub fn reverse(&mut self, name: &str) {
        if let Some(Node::List(list)) = self.0.get_mut(name) {
            list.reverse();
        }
    }

    /// Removes a value, if it is there.
    pub fn remove(&mut self, name: &str) -> Option<Node> {
        self.0.remove(name)
    }

    /// A word at the top level, if it is there.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name) {
            Some(Node::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Lays `other` over this: its words and lists win, tables are laid over each other.
    pub fn overlay(&mut self, other: Self) {
        for (name, node) in other.0 {
            match (self.0.get_mut(&name), node) {
                (Some(Node::Table(below)), Node::Table(above)) => below.overlay(above),
                (_, node) => {
                    self.0.insert(name, node);
                }
            }
        }
    }

    /// The names whose values differ, for a message.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let names: std::collections::BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        names.into_iter().filter(|name| self.0.get(*name) != other.0.get(*name)).cloned().collect()
    }

    /// A reader for this description.
    pub fn reader(self, place: &str) -> Reader {
        Reader { place: place.to_owned(), left: self.0, known: Vec::new() }
    }
}

fn from_toml(value: toml::Value) -> Node {
    match value {
        toml::Value::String(text) => Node::Text(text),
        toml::Value::Array(list) => Node::List(list.into_iter().map(from_toml).collect()),
        toml::Value::Table(table) => {
            Node::Table(Spec(table.into_iter().map(|(name, value)| (name, from_toml(value))).collect()))
        }
        toml::Value::Integer(number) => Node::Text(number.to_string()),
        toml::Value::Float(number) => Node::Text(number.to_string()),
        toml::Value::Boolean(yes) => Node::Text(yes.to_string()),
        toml::Value::Datetime(date) => Node::Text(date.to_string()),
    }
}

fn from_json(value: Json) -> Node {
    match value {
        Json::String(text) => Node::Text(text),
        Json::Array(list) => Node::List(list.into_iter().map(from_json).collect()),
        Json::Object(map) => {
            Node::Table(Spec(map.into_iter().map(|(name, value)| (name, from_json(value))).collect()))
        }
        other => Node::Text(other.to_string()),
    }
}

fn to_json(node: &Node) -> Json {
    match node {
        Node::Text(text) => Json::String(text.clone()),
        Node::List(list) => Json::Array(list.iter().map(to_json).collect()),
        Node::Table(spec) => {
            Json::Object(spec.0.iter().map(|(name, node)| (name.clone(), to_json(node))).collect())
        }
    }
}

/// Words and lists of words first, then tables: the order TOML asks for.
fn write_toml(spec: &Spec, path: &str, text: &mut String) {
    let quoted =
        |word: &str| format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    let bare = |name: &str| {
        let plain =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if plain { name.to_owned() } else { quoted(name) }
    };
    let word = |node: &Node| match node {
        Node::Text(word) => Some(quoted(word)),
        _ => None,
    };
    for (name, node) in &spec.0 {
        let value = match node {
            Node::Text(value) => quoted(value),
            Node::List(list) => match list.iter().map(word).collect::<Option<Vec<_>>>() {
                Some(words) => format!("[{}]", words.join(", ")),
                None => continue,
            },
            Node::Table(_) => continue,
        };
        text.push_str(&(bare(name) + " = " + &value + "\n"));
    }
    for (name, node) in &spec.0 {
        let path = if path.is_empty() { bare(name) } else { format!("{path}.{}", bare(name)) };
        match node {
            Node::Table(inner) => {
                text.push_str(&["\n[", &path, "]\n"].concat());
                write_toml(inner, &path, text);
            }
            Node::List(list) => {
                for item in list {
                    if let Node::Table(inner) = item {
                        text.push_str(&["\n[[", &path, "]]\n"].concat());
                        write_toml(inner, &path, text);
                    }
                }
            }
            Node::Text(_) => {}
        }
    }
}

/// Takes values out of a description and remembers which names it was asked for.
#[derive(Debug)]
pub struct Reader {
    place: String,
    left: BTreeMap<String, Node>,
    known: Vec<String>,
}

impl Reader {
    fn take(&mut self, name: &str) -> Option<Node> {
        self.known.push(name.to_owned());
        self.left.remove(name)
    }

    /// A word.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Node::Text(text)) => Ok(Some(text)),
            Some(_) => Err(format!("{}: '{name}' should be a single value", self.place)),
        }
    }

    /// A word of some type; `expected` completes the message when it is not.
    pub fn value<T: FromStr>(&mut self, name: &str, expected: &str) -> Result<Option<T>, String> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        match text.trim().parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(format!("{}: {name} = '{text}', expected {expected}", self.place)),
        }
    }

    /// A number; infinity is none.
    pub fn number(&mut self, name: &str) -> Result<Option<f64>, String> {
        match self.value(name, "a number")? {
            Some(number) if !f64::is_finite(number) => {
                Err(format!("{}: {name} = '{number}', expected a number", self.place))
            }
            number => Ok(number),
        }
    }

    /// A word whose type explains itself when it cannot be read.
    pub fn explained<T: FromStr<Err = String>>(&mut self, name: &str) -> Result<Option<T>, String> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        text.trim().parse().map(Some).map_err(|reason| format!("{}: {name}: {reason}", self.place))
    }

    /// Yes or no.
    pub fn switch(&mut self, name: &str) -> Result<bool, String> {
        Ok(self.value(name, "true or false")?.unwrap_or(false))
    }

    /// A list of words; a single word is a list of one.
    pub fn words(&mut self, name: &str) -> Result<Vec<String>, String> {
        let wrong = format!("{}: '{name}' should be a list of values", self.place);
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Node::Text(text)) => Ok(vec![text]),
            Some(Node::Table(_)) => Err(wrong),
            Some(Node::List(list)) => list
                .into_iter()
                .map(|node| if let Node::Text(text) = node { Ok(text) } else { Err(wrong.clone()) })
                .collect(),
        }
    }

    /// A table.
    pub fn table(&mut self, name: &str) -> Result<Option<Spec>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Node::Table(spec)) => Ok(Some(spec)),
            Some(_) => Err(format!("{}: '{name}' should be a table", self.place)),
        }
    }

    /// A list of tables.
    pub fn tables(&mut self, name: &str) -> Result<Vec<Spec>, String> {
        let wrong = format!("{}: '{name}' should be a list of tables", self.place);
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Node::List(list)) => list
                .into_iter()
                .map(|node| if let Node::Table(spec) = node { Ok(spec) } else { Err(wrong.clone()) })
                .collect(),
            Some(_) => Err(wrong),
        }
    }

    /// A table of words with free names, such as engine options.
    pub fn map(&mut self, name: &str) -> Result<BTreeMap<String, String>, String> {
        let place = format!("{}: {name}", self.place);
        let Some(spec) = self.table(name)? else { return Ok(BTreeMap::new()) };
        spec.0
            .into_iter()
            .map(|(key, node)| match node {
                Node::Text(text) => Ok((key, text)),
                _ => Err(format!("{place}: '{key}' should be a single value")),
            })
            .collect()
    }

    /// Refuses whatever nobody asked for.
    pub fn finish(mut self) -> Result<(), String> {
        self.known.sort_unstable();
        self.known.dedup();
        match self.left.keys().next() {
            None => Ok(()),
            Some(name) => {
                Err(format!("{}: unknown key '{name}'; known here: {}", self.place, self.known.join(", ")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_flags_make_one_description() {
        let mut spec =
            Spec::from_toml("pairs = 5\n[each]\ntc = \"8+0.08\"\n[each.options]\nHash = 16\n").unwrap();
        let mut flags = Spec::default();
        flags.set("pairs", Node::Text("9".into()));
        flags.set("each.options.Threads", Node::Text("2".into()));
        spec.overlay(flags);
        let mut reader = spec.clone().reader("test");
        assert_eq!(reader.value::<u32>("pairs", "a number").unwrap(), Some(9));
        let mut each = reader.table("each").unwrap().unwrap().reader("each");
        assert_eq!(each.text("tc").unwrap().as_deref(), Some("8+0.08"));
        let options = each.map("options").unwrap();
        assert_eq!((options["Hash"].as_str(), options["Threads"].as_str()), ("16", "2"));
        each.finish().unwrap();
        reader.finish().unwrap();
        assert_eq!(Spec::from_json(&spec.to_json()).unwrap(), spec);
    }

    #[test]
    fn mistakes_are_named() {
        let spec = Spec::from_toml("pairs = \"many\"\nparis = 3\n").unwrap();
        let mut reader = spec.reader("match");
        let error = reader.value::<u32>("pairs", "a whole number").unwrap_err();
        assert_eq!(error, "match: pairs = 'many', expected a whole number");
        let error = reader.finish().unwrap_err();
        assert!(error.contains("unknown key 'paris'") && error.contains("known here: pairs"), "{error}");
        assert!(Spec::from_toml("pairs = = 3").is_err());
    }

    #[test]
    fn a_description_written_as_toml_reads_back() {
        let spec = Spec::from_toml(
            "name = \"a \\\"b\\\" \\\\ c\"\nwords = [1, \"x\"]\n[each]\ntc = \"8+0.08\"\n[each.options]\n\"Clear Hash\" = \"\"\n\
             [[engine]]\ncmd = \"x\"\noptions = { Hash = 1 }\n[[engine]]\ncmd = \"y\"\n",
        )
        .unwrap();
        assert_eq!(Spec::from_toml(&spec.to_toml()).unwrap(), spec, "{}", spec.to_toml());
    }

    #[test]
    fn differences_are_listed() {
        let one = Spec::from_toml("a = 1\nb = 2\n").unwrap();
        let other = Spec::from_toml("a = 1\nb = 3\nc = 4\n").unwrap();
        assert_eq!(one.differences(&other), ["b", "c"]);
    }
}
