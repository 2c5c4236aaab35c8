CREATE TABLE IF NOT EXISTS event_counts (
  event_type text   PRIMARY KEY,
  events     bigint NOT NULL
);
