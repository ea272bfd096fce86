//! The vote: which element holds the page's own text, and which blocks around and inside of it count.

use super::super::element::Element;
use super::words::Words;
use super::{Block, Node};

/// A paragraph shorter than this has no vote.
const VOTER_BYTES_MIN: usize = 25;
/// How far up a vote reaches.
const LEVELS_MAX: usize = 5;
/// Text shorter than this is tried again with a milder rule.
const ENOUGH_BYTES: usize = 500;

/// How strictly names are taken.
#[derive(Clone, Copy)]
struct Rule {
    /// Elements with unlikely names have no vote and are left out.
    drops_unlikely: bool,
    /// Names count in the vote.
    weighs_names: bool,
    /// What looks like boilerplate inside of the winner is left out.
    cleans: bool,
}

/// All that is computed of a node.
#[derive(Clone, Copy, Default)]
struct Tally {
    score: f32,
    is_candidate: bool,
    is_out: bool,
    bytes: usize,
    link_bytes: usize,
    commas: usize,
    paragraphs: u32,
    items: u32,
}

impl Tally {
    fn link_density(&self) -> f32 {
        if self.bytes == 0 { 0.0 } else { (self.link_bytes as f32 / self.bytes as f32).min(1.0) }
    }
}

/// The blocks that are the page's own text.
pub(super) fn choose(nodes: &[Node], blocks: &[Block], text: &str) -> Vec<Block> {
    let strict = Rule { drops_unlikely: true, weighs_names: true, cleans: true };
    let rules = [
        strict,
        Rule { drops_unlikely: false, ..strict },
        Rule { drops_unlikely: false, weighs_names: false, ..strict },
        Rule { drops_unlikely: false, weighs_names: false, cleans: false },
    ];
    let size = |blocks: &Vec<Block>| blocks.iter().map(|block| block.end - block.start).sum::<usize>();
    let mut best = Vec::new();
    for rule in rules {
        let chosen = Vote::new(nodes, blocks, text, rule).choose();
        if size(&chosen) >= ENOUGH_BYTES {
            return chosen;
        }
        if size(&chosen) > size(&best) {
            best = chosen;
        }
    }
    best
}

struct Vote<'a> {
    nodes: &'a [Node],
    blocks: &'a [Block],
    rule: Rule,
    tallies: Vec<Tally>,
}

impl<'a> Vote<'a> {
    fn new(nodes: &'a [Node], blocks: &'a [Block], text: &str, rule: Rule) -> Vote<'a> {
        let mut vote = Vote { nodes, blocks, rule, tallies: vec![Tally::default(); nodes.len()] };
        vote.mark_out();
        for block in blocks {
            let words = text.get(block.start..block.end).unwrap_or_default();
            vote.count(block, words);
        }
        vote.sum_up();
        vote
    }

    fn node(&self, number: u32) -> Option<&'a Node> {
        self.nodes.get(number as usize)
    }

    fn tally(&self, number: u32) -> Tally {
        self.tallies.get(number as usize).copied().unwrap_or_default()
    }

    /// What is out takes all inside with it; parents stand before their children.
    fn mark_out(&mut self) {
        for number in 1..self.nodes.len() {
            let Some(node) = self.nodes.get(number) else { break };
            let is_unlikely = self.rule.drops_unlikely
                && node.words.has(Words::UNLIKELY)
                && !node.words.has(Words::PERHAPS)
                && !matches!(
                    node.element,
                    Element::Body | Element::Table | Element::Tr | Element::Td | Element::Code
                );
            let is_never = node.words.has(Words::NEVER) && (self.rule.cleans || node.element == Element::Nav);
            let is_out = self.tally(node.parent).is_out || is_unlikely || is_never;
            if let Some(tally) = self.tallies.get_mut(number) {
                tally.is_out = is_out;
                tally.items = u32::from(node.element == Element::Li);
            }
        }
    }

    /// A block's own numbers, and its vote.
    fn count(&mut self, block: &Block, words: &str) {
        let Some(node) = self.node(block.node) else { return };
        let commas = words.matches([',', '\u{3001}', '\u{ff0c}', '\u{60c}']).count();
        let length = words.chars().count();
        let is_paragraph =
            matches!(node.element, Element::P | Element::Blockquote | Element::Pre) || !node.has_children;
        if let Some(tally) = self.tallies.get_mut(block.node as usize) {
            tally.bytes += words.len();
            tally.link_bytes += block.link_bytes.min(words.len());
            tally.commas += commas;
            tally.paragraphs += u32::from(is_paragraph && node.element != Element::Li);
        }
        if self.tally(block.node).is_out || length < VOTER_BYTES_MIN {
            return;
        }
        let vote = 1.0 + commas as f32 + (length as f32 / 100.0).min(3.0);
        // Text that stands right in a box votes for the box, a paragraph for what it stands in.
        let is_box =
            node.has_children && !matches!(node.element, Element::P | Element::Pre | Element::Blockquote);
        let mut number = if is_box { block.node } else { node.parent };
        for level in 0..LEVELS_MAX {
            let Some(node) = self.node(number) else { break };
            let initial = self.initial_score(node);
            let Some(tally) = self.tallies.get_mut(number as usize) else { break };
            if !tally.is_candidate {
                tally.is_candidate = true;
                tally.score += initial;
            }
            tally.score += match level {
                0 => vote,
                1 => vote / 2.0,
                level => vote / (level as f32 * 3.0),
            };
            if number == 0 {
                break;
            }
            number = node.parent;
        }
    }

    fn initial_score(&self, node: &Node) -> f32 {
        let element = match node.element {
            Element::Div | Element::Article | Element::Section | Element::Main => 5.0,
            Element::Pre | Element::Td | Element::Blockquote => 3.0,
            Element::Address
            | Element::Ol
            | Element::Ul
            | Element::Dl
            | Element::Dd
            | Element::Dt
            | Element::Li => -3.0,
            Element::Form => -3.0,
            Element::Th => -5.0,
            element if element.heading_level().is_some() => -5.0,
            _ => 0.0,
        };
        element + self.weight(node)
    }

    fn weight(&self, node: &Node) -> f32 {
        if !self.rule.weighs_names {
            return 0.0;
        }
        let good = if node.words.has(Words::GOOD) { 25.0 } else { 0.0 };
        let bad = if node.words.has(Words::BAD) { 25.0 } else { 0.0 };
        good - bad
    }

    /// Adds the numbers of what is inside to each node; children stand behind their parents.
    fn sum_up(&mut self) {
        for number in (1..self.nodes.len()).rev() {
            let (Some(node), Some(inner)) = (self.nodes.get(number), self.tallies.get(number).copied())
            else {
                break;
            };
            if inner.is_out {
                continue;
            }
            if let Some(outer) = self.tallies.get_mut(node.parent as usize) {
                outer.bytes += inner.bytes;
                outer.link_bytes += inner.link_bytes;
                outer.commas += inner.commas;
                outer.paragraphs += inner.paragraphs;
                outer.items += inner.items;
            }
        }
        for tally in &mut self.tallies {
            tally.score *= 1.0 - tally.link_density();
        }
    }

    fn choose(&self) -> Vec<Block> {
        let candidates = (0..self.nodes.len()).filter(|number| {
            self.tallies.get(*number).is_some_and(|tally| tally.is_candidate && !tally.is_out)
        });
        let score = |number: usize| self.tallies.get(number).map_or(0.0, |tally| tally.score);
        let best = candidates.max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap_or(0);
        let winner = self.climb(best as u32);
        let states = self.states(winner);
        let is_in = |block: &&Block| states.get(block.node as usize).copied().unwrap_or(false);
        self.blocks.iter().filter(is_in).copied().collect()
    }

    /// Goes up as long as that wins more than it loses.
    fn climb(&self, best: u32) -> u32 {
        let mut winner = best;
        let mut number = best;
        let enough = self.tally(best).score / 3.0;
        let mut last = self.tally(best).score;
        for _ in 0..LEVELS_MAX {
            let Some(node) = self.node(number) else { break };
            if number == 0 || node.parent == number {
                break;
            }
            number = node.parent;
            let tally = self.tally(number);
            if !tally.is_candidate {
                continue;
            }
            if tally.score < enough {
                break;
            }
            if tally.score > last {
                winner = number;
                break;
            }
            last = tally.score;
        }
        winner
    }

    /// Of each node, whether its own text counts: inside of the winner or of what is taken in beside it, and not cleaned.
    fn states(&self, winner: u32) -> Vec<bool> {
        let parent = self.node(winner).map_or(0, |node| node.parent);
        let top = self.tally(winner);
        let enough = (top.score * 0.2).max(10.0);
        let names = self.node(winner).map(|node| node.words);
        let mut states = vec![false; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            let tally = self.tallies.get(number).copied().unwrap_or_default();
            let is_winner = number as u32 == winner;
            let outer = number > 0 && states.get(node.parent as usize).copied().unwrap_or(false);
            let is_in = if is_winner {
                true
            } else if outer {
                !tally.is_out && !self.is_boilerplate(node, &tally)
            } else if node.parent == parent && number > 0 {
                let bonus = if names == Some(node.words) && node.words != Words::default() {
                    top.score * 0.2
                } else {
                    0.0
                };
                !tally.is_out && Vote::is_beside(node, &tally, enough, bonus)
            } else {
                false
            };
            if let Some(state) = states.get_mut(number) {
                *state = is_in;
            }
        }
        states
    }

    /// Whether what stands beside the winner is text too.
    fn is_beside(node: &Node, tally: &Tally, enough: f32, bonus: f32) -> bool {
        if tally.is_candidate && tally.score + bonus >= enough {
            return true;
        }
        let density = tally.link_density();
        node.element == Element::P
            && ((tally.bytes > 80 && density < 0.25) || (tally.bytes > 0 && density == 0.0))
    }

    /// Whether an element inside of the winner is not text after all.
    fn is_boilerplate(&self, node: &Node, tally: &Tally) -> bool {
        if !self.rule.cleans {
            return false;
        }
        let weight = self.weight(node);
        if node.element.heading_level().is_some() {
            return weight < 0.0;
        }
        let is_list = matches!(node.element, Element::Ul | Element::Ol);
        if !is_list
            && !matches!(node.element, Element::Div | Element::Table | Element::Section | Element::Header)
        {
            return false;
        }
        if weight < 0.0 {
            return true;
        }
        if tally.commas >= 10 {
            return false;
        }
        let density = tally.link_density();
        let most: f32 = if weight >= 25.0 { 0.5 } else { 0.2 };
        let is_menu = !is_list && tally.items > tally.paragraphs + 5;
        density > if is_list { most.max(0.5) } else { most } || is_menu
    }
}
