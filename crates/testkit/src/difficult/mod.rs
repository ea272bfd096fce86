//! Pages that are hard to replay.
