-- Copies that an audit did not find because nobody has made them yet.

ALTER TABLE audit ADD COLUMN not_copied INTEGER NOT NULL DEFAULT 0;

PRAGMA user_version = 3;
