-- A table as an application may have had it for years; no preset matches it.

CREATE SCHEMA legacy;

CREATE TYPE legacy.tier AS ENUM ('free', 'paid');

CREATE TABLE legacy.domain_events (
  event_no bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind     varchar(80) NOT NULL,
  entity   text        NOT NULL,
  body     text        NOT NULL,
  written  timestamp   NOT NULL DEFAULT (clock_timestamp() AT TIME ZONE 'UTC'),
  state    varchar(10) NOT NULL DEFAULT 'NEW' CHECK (state IN ('NEW', 'SENT', 'BROKEN')),
  sent     timestamp,
  tier     legacy.tier NOT NULL DEFAULT 'free'
);

CREATE INDEX domain_events_state ON legacy.domain_events (state, event_no);
