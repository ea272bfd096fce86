//! A language that nobody speaks, with words as frequent as those of real ones.

use super::dice::Dice;

/// The vocabulary has 2ⁿ - 1 words.
const POWERS: u64 = 12;

const ONSETS: [&str; 20] =
    ["", "b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "st", "tr", "kl", "sch"];
const NUCLEI: [&str; 12] = ["a", "e", "i", "o", "u", "e", "a", "ei", "ou", "á", "ü", "ě"];
const CODAS: [&str; 10] = ["", "", "", "n", "r", "s", "t", "l", "ng", "ck"];

/// The words of one corpus, the most frequent first.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    list: Vec<String>,
}

impl Words {
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(&[seed, 0x776f_7264]);
        let mut word = |rank: usize| {
            // Frequent words are short.
            let syllables = 1 + dice.below(2) * u64::from(rank > 30) + dice.below(3) * u64::from(rank > 300);
            let syllable = |_| [dice.pick(&ONSETS), dice.pick(&NUCLEI), dice.pick(&CODAS)].concat();
            (0..syllables).map(syllable).collect::<String>()
        };
        Self { list: (0..(1 << POWERS) - 1).map(&mut word).collect() }
    }

    /// A word, frequent ones more often.
    pub(crate) fn one(&self, dice: &mut Dice) -> &str {
        self.list.get(dice.rank(POWERS)).map_or("", String::as_str)
    }

    /// A word of plain letters, for addresses and identifiers.
    pub(crate) fn name(&self, dice: &mut Dice) -> String {
        let mut name = String::new();
        while name.len() < 3 {
            let index = usize::try_from(dice.below(self.list.len() as u64)).unwrap_or(0);
            let word = self.list.get(index).map_or("", String::as_str);
            name.extend(word.chars().filter(char::is_ascii_lowercase));
        }
        name
    }

    /// Some words without an end.
    pub(crate) fn phrase(&self, dice: &mut Dice, text: &mut String, count: u64) {
        for index in 0..count {
            if index > 0 {
                text.push(' ');
            }
            text.push_str(self.one(dice));
        }
    }

    /// A sentence, with a capital, a comma at times, and a full stop.
    pub(crate) fn sentence(&self, dice: &mut Dice, text: &mut String) {
        let mut first = self.one(dice).chars();
        text.extend(first.next().into_iter().flat_map(char::to_uppercase).chain(first));
        for _ in 0..dice.between(4, 22) {
            text.push_str(if dice.percent(8) { ", " } else { " " });
            text.push_str(self.one(dice));
        }
        text.push_str(". ");
    }
}
