-- The headers of events, for which ${table} has no column.

CREATE TABLE ${headers} (
  id      ${id_type} PRIMARY KEY,
  headers jsonb      NOT NULL
          CONSTRAINT "${name}_header_object" CHECK (jsonb_typeof(headers) = 'object')
);
