-- The log. Placeholders are quoted names; ${name} is the bare one of the table.

-- No row is ever updated. xid comes before seq, so that whoever has a number has its transaction id already:
-- readers rely on it.
CREATE TABLE ${table} (
  xid            xid8        NOT NULL DEFAULT pg_current_xact_id(),
  seq            bigint      NOT NULL GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME ${sequence}),
  id             uuid        NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now(),
  version        int         NOT NULL DEFAULT 1,
  tenant         uuid,
  namespace      text        NOT NULL DEFAULT 'default',
  topic          text        NOT NULL,
  type           text        NOT NULL,
  aggregate_type text,
  aggregate_id   text,
  key            text,
  dedupe_key     text,
  headers        jsonb,
  payload        bytea       NOT NULL,
  PRIMARY KEY (seq)
) PARTITION BY RANGE (seq);

COMMENT ON TABLE ${table} IS 'read in the order of seq, by the snapshots in which transactions became visible';

-- For the rows of a transaction that stayed open for long.
CREATE INDEX "${name}_xid" ON ${table} (xid);

-- Relays create the next partition in time; without a relay rows gather in the last one.
CREATE TABLE ${partition} PARTITION OF ${table} FOR VALUES FROM (MINVALUE) TO (10000000);
CREATE TABLE ${rest} PARTITION OF ${table} DEFAULT;

-- How far the log is delivered: all that "seen" sees, and up to the number "position" what "upto" sees besides. Rows
-- that "seen" does not see are above the number "floor", but for those of transactions it shows as running. "system" is
-- the cluster whose transaction ids these are, and rows up to "base" are of another one; rows that came from there and
-- were not delivered have the id "adopted", since the time "adopted_at". Who has the lease is "owner"
-- until the time "until"; "fence" rises with each owner. Where a broker keeps the place, this cursor follows it, and
-- "mark" tells whether the two belong together. "numbering" is the file of the sequence, a new one each time that it is
-- altered or restarted. Of what "checked" sees, no row up to the number "checked_floor" was passed over. Until
-- "undecided_until", messages of an owner whose lease was taken over early may still arrive, so nothing is given up.
CREATE TABLE ${cursor} (
  single   boolean     PRIMARY KEY DEFAULT true CHECK (single),
  fence    bigint      NOT NULL DEFAULT 0,
  owner    uuid,
  until    timestamptz NOT NULL DEFAULT '-infinity',
  system   bigint      NOT NULL,
  base     bigint      NOT NULL DEFAULT 0,
  floor    bigint      NOT NULL DEFAULT 0,
  seen     pg_snapshot NOT NULL DEFAULT '1:1:',
  upto     pg_snapshot,
  position bigint      NOT NULL DEFAULT 0,
  mark     text,
  adopted  xid8,
  adopted_at timestamptz,
  numbering bigint     NOT NULL,
  checked  pg_snapshot NOT NULL DEFAULT '1:1:',
  checked_floor bigint NOT NULL DEFAULT 0,
  undecided_until timestamptz
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

INSERT INTO ${cursor} (system, numbering)
SELECT system_identifier, pg_relation_filenode('${sequence}') FROM pg_control_system();

-- The dedupe keys of events; a unique index of the log itself would have to cover all partitions. "xid" is the
-- transaction that wrote key and event, which tells whether the event is delivered.
CREATE TABLE ${keys} (
  namespace  text        NOT NULL,
  topic      text        NOT NULL,
  dedupe_key text        NOT NULL,
  id         uuid        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  xid        xid8        NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (namespace, topic, dedupe_key)
);

-- For pruning, which goes through the old ones a page at a time, as some of them are kept.
CREATE INDEX "${name}_dedupe_age" ON ${keys} (created_at);

-- The native table beside the log has copies of events whose keys are there.
DROP INDEX ${diverted_keys};

-- Readers of the log look up whether diverted events of a key wait.
CREATE INDEX "${name}_diverted_waiting" ON ${diverted} (key)
  WHERE status = 'pending' AND (due_at IS NULL OR last_error IS NOT NULL);
