//! Pages that attack do no harm.
