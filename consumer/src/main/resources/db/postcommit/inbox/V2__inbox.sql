-- Events of ${table} that are being handled, until when and by whom.

CREATE TABLE ${claims} (
  event_id text        PRIMARY KEY,
  token    uuid        NOT NULL,
  until    timestamptz NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- The one consumer whose events ${table} remembers: what it has handled is new to any other.
CREATE TABLE ${consumer} (
  one      boolean PRIMARY KEY DEFAULT true CONSTRAINT "${name}_consumer_one" CHECK (one),
  consumer text    NOT NULL
);
