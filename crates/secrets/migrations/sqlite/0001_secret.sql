-- User names and passwords, encrypted, and which key they are encrypted with. Times are milliseconds since 1970 in UTC.

CREATE TABLE secret (
    -- Scheme, host and port: `https://example.org:8443`.
    origin TEXT PRIMARY KEY,
    -- Id of the key.
    key    TEXT NOT NULL,
    nonce  BLOB NOT NULL CHECK (length(nonce) = 12),
    -- User name and password, encrypted, with the tag behind them.
    sealed BLOB NOT NULL,
    set_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row: the id of the key that new secrets are encrypted with. It decides which of two key files counts while a key is replaced.
CREATE TABLE current_key (
    id TEXT NOT NULL
) STRICT;

PRAGMA user_version = 1;
