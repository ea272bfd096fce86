-- What is watched, how each check went, which versions there were, who saw which, and the jobs that took the captures.
-- Times are milliseconds since 1970 in UTC; digests are 32 bytes, SHA-256 of the document without codings.

-- Jobs of the archive. One without a mark has settled nothing; one without an end is under way, or was left by a crash.
CREATE TABLE job (
    id           INTEGER PRIMARY KEY,
    name         TEXT NOT NULL UNIQUE,
    began_at     INTEGER NOT NULL,
    mark         BLOB,
    committed_at INTEGER
) STRICT;

CREATE INDEX job_open ON job (id) WHERE committed_at IS NULL;

CREATE TABLE resource (
    id             INTEGER PRIMARY KEY,
    url            TEXT NOT NULL UNIQUE,
    key            TEXT NOT NULL,
    added_at       INTEGER NOT NULL,
    -- The newest version; 0 while there is none.
    newest         INTEGER NOT NULL DEFAULT 0,
    digest         BLOB CHECK (digest IS NULL OR length(digest) = 32),
    -- What the answer with it said, and of which URL: to ask by whether it changed.
    asked_url      TEXT,
    etag           TEXT,
    last_modified  TEXT,
    -- What was announced of it, if that was right: to tell by HEAD.
    sent_length    INTEGER,
    sent_digest    TEXT,
    -- The record that holds its payload, for a 304.
    record_at      INTEGER,
    record_url     TEXT,
    record_file    TEXT,
    record_offset  INTEGER,
    record_length  INTEGER,
    payload        TEXT,
    media_type     TEXT NOT NULL DEFAULT '',
    -- Whether it was too large when last seen, and what the headers say: by them alone such a one is compared.
    is_large       INTEGER NOT NULL DEFAULT 0,
    large_head     TEXT,
    -- What was cut off last time: if it is cut off there again, that is all there is.
    cut_digest     BLOB,
    last_check     INTEGER,
    checked_at     INTEGER
) STRICT;

CREATE INDEX resource_digest ON resource (digest);

CREATE TABLE version (
    resource      INTEGER NOT NULL REFERENCES resource (id),
    number        INTEGER NOT NULL CHECK (number > 0),
    at            INTEGER NOT NULL,
    digest        BLOB NOT NULL CHECK (length(digest) = 32),
    length        INTEGER NOT NULL CHECK (length >= 0),
    media_type    TEXT NOT NULL,
    last_modified TEXT,
    -- Where it was found: the URL of the capture, and its payload's digest as the archive's index has it.
    url           TEXT NOT NULL,
    payload       TEXT,
    job           INTEGER NOT NULL REFERENCES job (id),
    PRIMARY KEY (resource, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX version_at ON version (resource, at);

-- `check` is a word of SQL.
CREATE TABLE look (
    id        INTEGER PRIMARY KEY,
    resource  INTEGER NOT NULL REFERENCES resource (id),
    job       INTEGER NOT NULL REFERENCES job (id),
    at        INTEGER NOT NULL,
    outcome   TEXT NOT NULL,
    status    INTEGER,
    -- Where redirects led, if there were any.
    final_url TEXT,
    redirects INTEGER NOT NULL DEFAULT 0,
    digest    BLOB,
    length    INTEGER,
    -- The version that held from then on; 0 if there was none.
    version   INTEGER NOT NULL DEFAULT 0,
    took_ms   INTEGER NOT NULL,
    why       TEXT,
    faults    TEXT NOT NULL DEFAULT '',
    -- The head of an answer that has no record in the archive.
    head      BLOB
) STRICT;

CREATE INDEX look_of ON look (resource, at);

CREATE TABLE person (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    added_at INTEGER NOT NULL
) STRICT;

-- What a person was last told of.
CREATE TABLE seen (
    person   INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    resource INTEGER NOT NULL REFERENCES resource (id),
    version  INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (person, resource)
) STRICT, WITHOUT ROWID;

CREATE TABLE watch (
    id        INTEGER PRIMARY KEY,
    owner     INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    resource  INTEGER NOT NULL REFERENCES resource (id),
    -- Seconds between two checks; with bounds, what they are just now.
    every     INTEGER NOT NULL CHECK (every > 0),
    least     INTEGER,
    most      INTEGER,
    head_first INTEGER NOT NULL DEFAULT 0,
    force     INTEGER NOT NULL DEFAULT 0,
    rules     TEXT NOT NULL DEFAULT '',
    notify    TEXT NOT NULL DEFAULT '',
    is_paused INTEGER NOT NULL DEFAULT 0,
    due_at    INTEGER NOT NULL,
    added_at  INTEGER NOT NULL,
    UNIQUE (owner, resource)
) STRICT;

CREATE INDEX watch_due ON watch (due_at) WHERE is_paused = 0;
CREATE INDEX watch_of ON watch (resource);

PRAGMA user_version = 1;
