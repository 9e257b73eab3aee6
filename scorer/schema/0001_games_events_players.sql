CREATE TABLE game (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    uid        TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE event (
    game_id    INTEGER NOT NULL REFERENCES game (id),
    seq        INTEGER NOT NULL CHECK (seq >= 1),
    type       TEXT NOT NULL CHECK (type <> ''),
    payload    TEXT NOT NULL CHECK (json_valid(payload)),
    at         TEXT NOT NULL,
    command_id TEXT,
    crc        INTEGER NOT NULL, -- over all the rest: SQLite does not notice a flipped bit in text
    PRIMARY KEY (game_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_by_command ON event (game_id, command_id) WHERE command_id IS NOT NULL;

CREATE TABLE player (
    name           TEXT NOT NULL PRIMARY KEY CHECK (name <> ''),
    colour         TEXT,
    birth_year     INTEGER,
    last_played_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What happened has happened: games and events are only ever added.
CREATE TRIGGER event_is_next BEFORE INSERT ON event
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM event WHERE game_id = NEW.game_id)
BEGIN SELECT raise(ABORT, 'an event must follow the last one'); END;

CREATE TRIGGER event_stays_as_is BEFORE UPDATE ON event
BEGIN SELECT raise(ABORT, 'an event cannot be changed'); END;

CREATE TRIGGER event_stays BEFORE DELETE ON event
BEGIN SELECT raise(ABORT, 'an event cannot be deleted'); END;

CREATE TRIGGER game_stays_as_is BEFORE UPDATE ON game
BEGIN SELECT raise(ABORT, 'a game cannot be changed'); END;

CREATE TRIGGER game_stays BEFORE DELETE ON game
BEGIN SELECT raise(ABORT, 'a game cannot be deleted'); END;
