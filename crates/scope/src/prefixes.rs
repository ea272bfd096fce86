//! SURT prefixes with something attached to each, ready for very many questions.
//!
//! One sorted list, and for each entry the longest other entry that it begins with. The greatest entry that is not after a
//! text is the text's longest prefix, or begins with it: so one binary search and a walk up that chain find it.

/// A frozen map from prefixes to values, asked by longest prefix.
#[derive(Debug, Clone)]
pub(crate) struct Prefixes<T> {
    entries: Vec<Entry<T>>,
}

#[derive(Debug, Clone)]
struct Entry<T> {
    prefix: Box<str>,
    parent: Option<u32>,
    value: T,
}

impl<T> Default for Prefixes<T> {
    fn default() -> Prefixes<T> {
        Prefixes { entries: Vec::new() }
    }
}

impl<T> Prefixes<T> {
    /// Sorts and links the entries. Of several values for one prefix, `merge` keeps what it likes, in the order given.
    pub(crate) fn new(mut list: Vec<(String, T)>, mut merge: impl FnMut(T, T) -> T) -> Prefixes<T> {
        list.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut entries: Vec<Entry<T>> = Vec::with_capacity(list.len());
        let mut open: Vec<u32> = Vec::new();
        for (prefix, value) in list {
            if entries.last().is_some_and(|last| *last.prefix == *prefix) {
                if let Some(last) = entries.pop() {
                    entries.push(Entry { value: merge(last.value, value), ..last });
                }
                continue;
            }
            while let Some(top) = open.last() {
                if entries.get(*top as usize).is_some_and(|entry| prefix.starts_with(&*entry.prefix)) {
                    break;
                }
                open.pop();
            }
            // More than four thousand million prefixes are refused long before.
            let at = u32::try_from(entries.len()).unwrap_or(u32::MAX);
            entries.push(Entry { prefix: prefix.into_boxed_str(), parent: open.last().copied(), value });
            open.push(at);
        }
        Prefixes { entries }
    }

    /// The same prefixes with values made of those above them: each is given what was made of its parent.
    pub(crate) fn resolve<U>(self, mut make: impl FnMut(Option<&U>, &str, &T) -> U) -> Prefixes<U> {
        let mut entries: Vec<Entry<U>> = Vec::with_capacity(self.entries.len());
        for Entry { prefix, parent, value } in self.entries {
            let above = parent.and_then(|parent| entries.get(parent as usize)).map(|entry| &entry.value);
            let value = make(above, &prefix, &value);
            entries.push(Entry { prefix, parent, value });
        }
        Prefixes { entries }
    }

    /// The longest prefix of this text, with its value.
    pub(crate) fn longest(&self, text: &str) -> Option<(&str, &T)> {
        self.chain(text).next()
    }

    /// Every prefix of this text, longest first.
    pub(crate) fn chain(&self, text: &str) -> impl Iterator<Item = (&str, &T)> {
        let after = self.entries.partition_point(|entry| *entry.prefix <= *text);
        let mut at = after.checked_sub(1);
        std::iter::from_fn(move || {
            let entry = self.entries.get(at?)?;
            at = entry.parent.map(|parent| parent as usize);
            Some(entry)
        })
        .filter(move |entry| text.starts_with(&*entry.prefix))
        .map(|entry| (&*entry.prefix, &entry.value))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
