-- The native outbox table. ${table} and ${claims} are the quoted names, ${name} is the bare table name.

-- xid comes before seq, so that whoever has a number has its transaction id already, also while its INSERT waits for a
-- dedupe key or a trigger: relays rely on it.
CREATE TABLE ${table} (
  id             uuid        PRIMARY KEY,
  xid            xid8        NOT NULL DEFAULT pg_current_xact_id(),
  seq            bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  namespace      text        NOT NULL DEFAULT 'default',
  topic          text        NOT NULL,
  tenant         uuid,
  dedupe_key     text,
  type           text        NOT NULL,
  aggregate_type text,
  aggregate_id   text,
  key            text,
  version        int         NOT NULL DEFAULT 1,
  headers        jsonb
                 CONSTRAINT "${name}_headers" CHECK (jsonb_typeof(headers) = 'object'),
  payload        bytea       NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now(),
  due_at         timestamptz,
  status         text        NOT NULL DEFAULT 'pending'
                 CONSTRAINT "${name}_status" CHECK (status IN ('pending', 'delivered', 'dead')),
  attempts       int         NOT NULL DEFAULT 0,
  last_error     text,
  delivered_at   timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

COMMENT ON COLUMN ${table}.due_at IS
  'null: due at once; otherwise not before this time, be it a delayed event or one waiting for a retry';

-- Every index but the primary key covers only rows that still have something ahead of them, so a
-- table of millions of delivered rows costs a claim nothing.
CREATE INDEX "${name}_ready" ON ${table} (seq) WHERE status = 'pending' AND due_at IS NULL;
CREATE INDEX "${name}_timed" ON ${table} (due_at) WHERE status = 'pending' AND due_at IS NOT NULL;
-- Events that hold back later ones of their key: those that wait (0) and those that are due again (1).
CREATE INDEX "${name}_tried" ON ${table} (key, num_nulls(due_at), seq)
  WHERE status = 'pending' AND last_error IS NOT NULL;
CREATE INDEX "${name}_dead"  ON ${table} (seq) WHERE status = 'dead';
CREATE UNIQUE INDEX "${name}_dedupe" ON ${table} (namespace, topic, dedupe_key)
  WHERE dedupe_key IS NOT NULL;
-- For pruning; a block range index costs a delivery nothing worth measuring.
CREATE INDEX "${name}_delivered" ON ${table} USING brin (delivered_at)
  WITH (pages_per_range = 32, autosummarize = on);

-- One row is one batch that a relay is delivering. keys are hashes, one for each of ids, null where
-- the event has no key. namespace and tenant are what the relay is limited to, null if it is not.
CREATE TABLE ${claims} (
  id        bigint      PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  owner     uuid        NOT NULL,
  until     timestamptz NOT NULL,
  ids       uuid[]      NOT NULL,
  keys      bigint[]    NOT NULL,
  namespace text,
  tenant    uuid
) WITH (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0,
        toast.autovacuum_vacuum_threshold = 1000, toast.autovacuum_vacuum_scale_factor = 0);

-- Short-lived: not worth compressing.
ALTER TABLE ${claims} ALTER COLUMN ids SET STORAGE EXTERNAL;
ALTER TABLE ${claims} ALTER COLUMN keys SET STORAGE EXTERNAL;
