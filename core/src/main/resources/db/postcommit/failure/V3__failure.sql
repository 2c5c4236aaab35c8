-- What the relay remembers of failed events and ${table} has no column for: when they are due again,
-- or since when they are dead.

CREATE TABLE ${failures} (
  id       ${id_type}  PRIMARY KEY,
  key      text,
  attempts int         NOT NULL,
  due_at   timestamptz,
  dead_at  timestamptz,
  error    text
) WITH (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
