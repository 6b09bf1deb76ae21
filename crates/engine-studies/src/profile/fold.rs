//! From perf's stacks to paths that can be drawn. Pure functions of text.
//!
//! A search calls itself: drawn as it is, a stack would be a tower of nodes. So a path begins at the innermost call of a function
//! that the search recurses through; what is above it, the way to this node, says nothing about where time goes. Stacks cut off by
//! perf's limit lose nothing by this, because it is their outer end that is missing.

use std::collections::{BTreeMap, BTreeSet};

/// A function recurses if it stands twice in at least this share of the stacks.
const RECURSES: f64 = 0.2;
/// Frames kept of a stack that is not in the search.
const OUTSIDE_FRAMES: usize = 4;
/// The name of whatever is not in the search.
pub const OUTSIDE: &str = "outside the search";

/// Reads what `perf script -F ip,sym` prints: frames from the innermost outwards, an empty line after each stack.
pub fn stacks(script: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut stack = Vec::new();
    for line in script.lines().chain([""]) {
        let line = line.trim();
        if line.is_empty() {
            if !stack.is_empty() {
                found.push(std::mem::take(&mut stack));
            }
            continue;
        }
        let (address, symbol) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if !address.is_empty() && address.bytes().all(|letter| letter.is_ascii_hexdigit()) {
            stack.push(tidy(symbol));
        }
    }
    found
}

/// A function's path without its generics, addresses and `impl` blocks.
fn tidy(symbol: &str) -> String {
    let symbol = symbol.trim();
    if symbol.is_empty() || symbol.starts_with('[') {
        return "[unknown]".to_owned();
    }
    // `<a::B as c::D>::e` is `a::B::e`; `a::<impl b::C>::d` is `a::d`.
    let mut text = String::with_capacity(symbol.len());
    let (mut depth, mut kept): (usize, Option<usize>) = (0, None);
    let mut rest = symbol;
    if let Some(inner) = symbol.strip_prefix('<')
        && let Some((subject, after)) = inner.split_once(" as ")
        && let Some(end) = closing(after)
    {
        text.push_str(subject.split('<').next().unwrap_or(subject));
        rest = &after[end + 1..];
    }
    for letter in rest.chars() {
        match letter {
            '<' => {
                depth += 1;
                if depth == 1 {
                    kept = Some(text.len());
                }
            }
            '>' => {
                depth = depth.saturating_sub(1);
                if depth == 0
                    && let Some(length) = kept.take()
                {
                    text.truncate(length);
                }
            }
            _ if depth == 0 => text.push(letter),
            _ => {}
        }
    }
    let words: Vec<&str> = text.split("::").filter(|word| !word.is_empty()).collect();
    // A semicolon parts functions in a path.
    words.join("::").replace(';', ",")
}

/// Where the bracket that was open before `text` closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (place, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(place);
        }
    }
    None
}

/// Paths from the innermost recursing function inwards, and how often each was seen.
pub fn fold(stacks: &[Vec<String>]) -> BTreeMap<String, u64> {
    let recursing = recursing(stacks);
    let mut paths: BTreeMap<String, u64> = BTreeMap::new();
    for stack in stacks {
        let node = stack.iter().position(|name| recursing.contains(name.as_str()));
        let kept = node.map_or(OUTSIDE_FRAMES, |node| node + 1);
        let mut names: Vec<&str> = stack.iter().take(kept).map(String::as_str).collect();
        if node.is_none() {
            names.push(OUTSIDE);
        }
        names.reverse();
        names.dedup();
        *paths.entry(names.join(";")).or_default() += 1;
    }
    paths
}

fn recursing(stacks: &[Vec<String>]) -> BTreeSet<&str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for stack in stacks {
        let mut names: Vec<&str> =
            stack.iter().map(String::as_str).filter(|name| !name.starts_with('[')).collect();
        names.sort_unstable();
        let mut twice: Vec<&str> =
            names.windows(2).filter_map(|pair| (pair[0] == pair[1]).then_some(pair[0])).collect();
        twice.dedup();
        for name in twice {
            *counts.entry(name).or_default() += 1;
        }
    }
    let least = RECURSES * stacks.len() as f64;
    counts.into_iter().filter(|(_, count)| *count as f64 >= least).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_lose_what_only_the_compiler_needs() {
        for (symbol, name) in [
            ("search::node::<impl search::worker::Worker<P,S>>::node", "search::node::node"),
            ("search::picker::View<P>::quiet_score", "search::picker::View::quiet_score"),
            (
                "<core::iter::adapters::map::Map<I,F> as core::iter::traits::iterator::Iterator>::fold",
                "core::iter::adapters::map::Map::fold",
            ),
            (
                "<search::worker::Worker<P,S> as kernel::driver::Searcher>::search_root",
                "search::worker::Worker::search_root",
            ),
            ("__memset_avx512_unaligned_erms", "__memset_avx512_unaligned_erms"),
            ("[unknown]", "[unknown]"),
        ] {
            assert_eq!(tidy(symbol), name);
        }
    }

    #[test]
    fn towers_of_nodes_are_folded() {
        let script = "\
 1a evaluate
 2b search::node::node
 3c search::node::node
 4d main

 1a search::node::node
 3c search::node::node
 4d main

 9f read
 4d main
";
        let stacks = stacks(script);
        assert_eq!((stacks.len(), stacks[0].len()), (3, 4));
        let paths = fold(&stacks);
        let expected = [
            ("outside the search;main;read", 1),
            ("search::node::node", 1),
            ("search::node::node;evaluate", 1),
        ];
        assert_eq!(paths.iter().map(|(path, count)| (path.as_str(), *count)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert!(fold(&stacks("")).is_empty());
        assert!(stacks("perf: warning\n\n").is_empty());
    }
}
