//! What readers say about the stories. The pages ask for it by script.

/// One reader's opinion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    /// The story it is about.
    pub(crate) slug: &'static str,
    /// The first edition that has it.
    pub(crate) since: u8,
    pub(crate) name: &'static str,
    pub(crate) date: &'static str,
    pub(crate) text: &'static str,
}

const fn comment(
    slug: &'static str,
    since: u8,
    name: &'static str,
    date: &'static str,
    text: &'static str,
) -> Comment {
    Comment { slug, since, name, date, text }
}

const COMMENTS: &[Comment] = &[
    comment(
        "ferry-returns",
        1,
        "Aldous P.",
        "12 September",
        "I was one of the dressing gowns. Worth every goose bump.",
    ),
    comment(
        "ferry-returns",
        1,
        "Easterbank Annie",
        "12 September",
        "Eleven minutes! I had forgotten that the town is that close.",
    ),
    comment(
        "ferry-returns",
        2,
        "R. Gander",
        "2 October",
        "The plate about the geese is unkind and out of date.",
    ),
    comment(
        "lake-mud",
        1,
        "Class 5b",
        "11 September",
        "We found the year our school was built. It is very thin.",
    ),
    comment(
        "lake-mud",
        1,
        "Hugo M.",
        "13 September",
        "So the lake has kept better records than my accountant.",
    ),
    comment(
        "lido-sale",
        1,
        "All Who Can Float",
        "9 September",
        "See you on the benches on the 24th. Bring towels.",
    ),
    comment(
        "lido-sale",
        2,
        "All Who Can Float",
        "25 September",
        "Item 9 was put off. We are drying out and will be back.",
    ),
    comment(
        "bridge-closure",
        1,
        "Jonquil T.",
        "15 September",
        "There is no bus 7. There has never been a bus 7. I waited.",
    ),
    comment(
        "bridge-closure",
        2,
        "Jonquil T.",
        "17 September",
        "Thank you for the correction. The 4 is lovely.",
    ),
    comment("heron-count", 1, "Dr Wing", "7 September", "That is a cormorant."),
    comment(
        "heron-count",
        1,
        "Tove A.",
        "7 September",
        "Lovely article. The picture is a cormorant, though.",
    ),
    comment("heron-count", 2, "Dr Wing", "21 September", "That is a heron."),
    comment("lake-rises", 2, "Chandler, Fish Street", "11 October", "Boots are half price. Mine are in use."),
    comment("lake-rises", 2, "Casimir B.", "12 October", "It was a quotation and I stand by it."),
    comment(
        "lake-rises",
        3,
        "Fish Street 14",
        "20 October",
        "Dry again. Somebody’s garden gnome is in our hall, please ask.",
    ),
    comment("bridge-opens", 3, "Biscuit’s owner", "8 November", "He is very sorry about the ribbon."),
    comment("bridge-opens", 3, "Jonquil T.", "8 November", "Goodbye, bus 4. I shall miss you."),
    comment("oven-lit", 1, "K. for Kneading", "6 September", "I only got to K. We waited. He is right."),
    comment(
        "school-clock",
        1,
        "Caretaker",
        "4 September",
        "Whoever has the thirty-one tooth wheel, I should like to hang it up.",
    ),
    comment("regatta", 1, "Cox, Easterbank", "9 September", "Cheese and pickle, for the record."),
    comment(
        "library-roof",
        1,
        "Benedikt R.",
        "11 September",
        "Thank you, all of you. Overdue fines are forgiven until the roof is on.",
    ),
    comment("hundred-years", 2, "1951", "12 October", "It arrived. I said yes."),
    comment("fell-walk", 3, "A sheep", "9 November", "Please leave the gate open."),
];

/// The comments on a story that the paper of this number has, oldest first.
pub(crate) fn on(slug: &str, edition: u8) -> impl Iterator<Item = &'static Comment> {
    COMMENTS.iter().filter(move |comment| comment.slug == slug && comment.since <= edition)
}
