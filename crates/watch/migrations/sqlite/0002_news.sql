-- What is worth telling of watched pages, and who is still to be told.

-- Digest of the list of watches that the job's metadata have, if they have one.
ALTER TABLE job ADD COLUMN watches BLOB;

ALTER TABLE version ADD COLUMN charset TEXT NOT NULL DEFAULT '';

ALTER TABLE watch ADD COLUMN title TEXT NOT NULL DEFAULT '';
-- One a line.
ALTER TABLE watch ADD COLUMN tags TEXT NOT NULL DEFAULT '';
ALTER TABLE watch ADD COLUMN notes TEXT NOT NULL DEFAULT '';
-- The version up to which changes were judged, and the last that was told of; 0 while there is none.
ALTER TABLE watch ADD COLUMN judged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE watch ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
-- Checks since then that found nothing new.
ALTER TABLE watch ADD COLUMN calm INTEGER NOT NULL DEFAULT 0;
-- Checks in a row at which the page was not there, after how many somebody is told (0 is never), and whether somebody was.
ALTER TABLE watch ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE watch ADD COLUMN gone_after INTEGER NOT NULL DEFAULT 3;
ALTER TABLE watch ADD COLUMN is_gone INTEGER NOT NULL DEFAULT 0;
-- The check that found another page by its headers alone, until that is judged.
ALTER TABLE watch ADD COLUMN large INTEGER;

UPDATE watch SET judged = (SELECT newest FROM resource WHERE resource.id = watch.resource);
UPDATE watch SET told = judged;

-- The highest number that a watch ever had which is no more: none is given twice, because messages and feeds lead to them.
CREATE TABLE given (
    watch INTEGER NOT NULL
) STRICT;

INSERT INTO given VALUES (0);

-- What changes at every visit, as learned for a watch, in JSON.
CREATE TABLE habit (
    watch   INTEGER PRIMARY KEY REFERENCES watch (id) ON DELETE CASCADE,
    learned TEXT NOT NULL
) STRICT;

-- Numbers are never given twice: messages and feeds know news by them.
CREATE TABLE news (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    watch   INTEGER NOT NULL REFERENCES watch (id) ON DELETE CASCADE,
    kind    TEXT NOT NULL,
    at      INTEGER NOT NULL,
    -- What it is news of: the number of a version, or of a check with a minus before it.
    mark    INTEGER NOT NULL,
    before  INTEGER,
    after   INTEGER,
    summary TEXT NOT NULL,
    text    TEXT NOT NULL,
    html    TEXT NOT NULL,
    UNIQUE (watch, kind, mark)
) STRICT;

CREATE INDEX news_of ON news (watch, id);

-- Who is to be told of it. What has the same message goes, or went, in one.
CREATE TABLE post (
    id        INTEGER PRIMARY KEY,
    news      INTEGER NOT NULL REFERENCES news (id) ON DELETE CASCADE,
    address   TEXT NOT NULL,
    is_digest INTEGER NOT NULL DEFAULT 0,
    due_at    INTEGER NOT NULL,
    message   TEXT,
    tries     INTEGER NOT NULL DEFAULT 0,
    sent_at   INTEGER,
    -- Why it could not be sent; with `is_given_up` it is not tried again.
    why       TEXT,
    is_given_up INTEGER NOT NULL DEFAULT 0,
    UNIQUE (news, address)
) STRICT;

CREATE INDEX post_due ON post (due_at) WHERE sent_at IS NULL AND is_given_up = 0;

PRAGMA user_version = 2;
