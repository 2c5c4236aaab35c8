-- The relays that run on ${table}; each keeps one row. since is when its state began, delivered what it
-- has delivered since its start.

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
  per_second double precision NOT NULL DEFAULT 0
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

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
