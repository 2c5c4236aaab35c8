// The tables of the domain. Those of the outbox and of consumed events belong to migrations and have to be there.

const TABLES = `
  CREATE TABLE IF NOT EXISTS payments (
    id             uuid        PRIMARY KEY,
    order_id       uuid        NOT NULL UNIQUE,
    amount         numeric     NOT NULL,
    currency       text        NOT NULL,
    status         text        NOT NULL CHECK (status IN ('INITIATED', 'SUCCESS', 'FAILED')),
    provider       text,
    provider_ref   text,
    failure_reason text,
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now()
  );
  -- What an order consists of, and what of it is reserved: either may become known first.
  CREATE TABLE IF NOT EXISTS ordered_items (
    order_id   uuid NOT NULL,
    product_id uuid NOT NULL,
    quantity   int  NOT NULL,
    PRIMARY KEY (order_id, product_id)
  );
  CREATE TABLE IF NOT EXISTS reservations (
    order_id       uuid NOT NULL,
    reservation_id uuid NOT NULL,
    product_id     uuid NOT NULL,
    variant_id     uuid,
    quantity       int  NOT NULL,
    UNIQUE NULLS NOT DISTINCT (order_id, reservation_id, product_id, variant_id)
  );
  CREATE TABLE IF NOT EXISTS cancelled_orders (
    order_id uuid PRIMARY KEY,
    reason   text
  );`;

const MIGRATED = ['outbox_events', 'outbox_events_header', 'outbox_events_failure', 'processed_events'];

export async function createTables(pool) {
  const { rows } = await pool.query(
    'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL', [MIGRATED]);
  if (rows.length > 0) {
    const missing = rows.map(({ name }) => name).join(', ');
    throw new Error(`the database has no ${missing}; apply the migrations of the layout polyshop and of the inbox first`);
  }
  await pool.query(TABLES);
}
