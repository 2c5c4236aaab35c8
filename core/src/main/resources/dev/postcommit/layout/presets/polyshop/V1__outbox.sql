-- PolyShop's outbox table, one in each service's database. ${table} is the quoted name, ${name} is
-- the bare table name, ${aggregate_id_type} is uuid or text.

CREATE TABLE ${table} (
  id            uuid                 PRIMARY KEY,
  aggregate_id  ${aggregate_id_type} NOT NULL,
  event_type    text                 NOT NULL,
  version       int                  NOT NULL DEFAULT 1,
  payload       jsonb                NOT NULL,
  created_at    timestamptz          NOT NULL DEFAULT now(),
  processed     boolean              NOT NULL DEFAULT false,
  processed_at  timestamptz,
  error_message text
);

CREATE INDEX "${name}_unprocessed" ON ${table} (created_at, id) WHERE processed IS NOT TRUE;

-- For relays that list what was written in the last moments while many older rows wait. The condition is said in this
-- way so that no other index can stand in for it, whatever the statistics say.
CREATE INDEX "${name}_pending_key" ON ${table} (aggregate_id, created_at, id)
  WHERE CASE WHEN processed IS NOT TRUE THEN true ELSE false END;
