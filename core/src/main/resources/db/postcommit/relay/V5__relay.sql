-- The relays that run on ${table}; each keeps one row. since is when its state began, delivered what it
-- has delivered since its start. backend_pid, backend_started_at and server_started_at name the database session that
-- ends with the relay, if it has one of its own: once it is gone, others take over what the relay held. Until
-- undecided_until, copies that the relay sent may still arrive, so nothing is given up.

CREATE TABLE ${relays} (
  id         uuid             PRIMARY KEY,
  host       text             NOT NULL,
  pid        bigint           NOT NULL,
  version    text,
  started_at timestamptz      NOT NULL,
  seen_at    timestamptz      NOT NULL,
  state      text             NOT NULL,
  since      timestamptz      NOT NULL,
  reason     text,
  delivered  bigint           NOT NULL,
  per_second double precision NOT NULL DEFAULT 0,
  backend_pid        bigint,
  backend_started_at timestamptz,
  server_started_at  timestamptz,
  undecided_until    timestamptz
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- For claims, which ask whether anything is undecided.
CREATE INDEX "${name}_relay_undecided" ON ${relays} (undecided_until) WHERE undecided_until IS NOT NULL;

-- Whether relays are to pause, as an operator decided last. No row: nobody ever did.

CREATE TABLE ${pause} (
  single   boolean     PRIMARY KEY DEFAULT true CHECK (single),
  paused   boolean     NOT NULL,
  at       timestamptz NOT NULL,
  operator text        NOT NULL,
  reason   text
);

-- The topics that take no messages, because they are missing or forbidden, as relays found since a time.
-- Events written until given_up_at are given up, as an operator decided.

CREATE TABLE ${topics} (
  topic           text        PRIMARY KEY,
  reason          text        NOT NULL,
  since           timestamptz NOT NULL,
  seen_at         timestamptz NOT NULL,
  given_up_at     timestamptz,
  given_up_by     text,
  given_up_reason text
);
