-- PackFinderz' outbox table. ${table} is the quoted name, ${name} is the bare table name,
-- ${type_type} and ${aggregate_type_type} are the enum types with ${type_labels} and
-- ${aggregate_type_labels} as their values.

DO $$
BEGIN
  IF to_regtype('${type_type}') IS NULL THEN
    CREATE TYPE ${type_type} AS ENUM (${type_labels});
  END IF;
  IF to_regtype('${aggregate_type_type}') IS NULL THEN
    CREATE TYPE ${aggregate_type_type} AS ENUM (${aggregate_type_labels});
  END IF;
END
$$;

CREATE TABLE ${table} (
  id             uuid                   PRIMARY KEY,
  event_type     ${type_type}           NOT NULL,
  aggregate_type ${aggregate_type_type} NOT NULL,
  aggregate_id   uuid                   NOT NULL,
  payload_json   jsonb                  NOT NULL,
  created_at     timestamptz            NOT NULL DEFAULT now(),
  published_at   timestamptz            NULL,
  attempt_count  int                    NOT NULL DEFAULT 0,
  last_error     text                   NULL
);

CREATE INDEX "${name}_published_at" ON ${table} (published_at);
CREATE INDEX "${name}_event_type" ON ${table} (event_type);
CREATE INDEX "${name}_aggregate" ON ${table} (aggregate_type, aggregate_id);
