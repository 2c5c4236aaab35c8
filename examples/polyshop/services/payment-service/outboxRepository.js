// The rows of outbox_events, and what is kept beside them: headers of events, and failures.

import { randomUUID } from 'node:crypto';

/** The trace and the operation go on; other metadata are those of the event that was consumed. */
const CARRIED = ['traceId', 'correlationId', 'userId'];

/**
 * Writes an event in the client's transaction. `payload` is a SQL expression over `parameters`, so that amounts stay decimal
 * numbers; `cause` is the envelope that led to it.
 */
export async function insertEvent(client, { eventType, aggregateId, payload, parameters, cause }) {
  const id = randomUUID();
  await client.query(
    `INSERT INTO outbox_events (id, aggregate_id, event_type, version, payload, created_at)
     VALUES ($1, $2, $3, 1, ${payload}, clock_timestamp())`,
    [id, aggregateId, eventType, ...parameters]);
  const carried = CARRIED.filter((name) => typeof cause.metadata?.[name] === 'string');
  if (carried.length > 0) {
    const headers = Object.fromEntries(carried.map((name) => [name, cause.metadata[name]]));
    await client.query('INSERT INTO outbox_events_header (id, headers) VALUES ($1, $2)', [id, headers]);
  }
  return id;
}

/**
 * Takes the turn at the table until the end of the client's transaction, which the server ends itself if it is left alone for
 * too long. It is the lock that a relay of Postcommit would take, too.
 */
export async function takeTurn(client) {
  const { rows } = await client.query(
    `SELECT set_config('idle_in_transaction_session_timeout', '60s', true),
       pg_try_advisory_xact_lock(1886352244, CAST(CAST(CAST('outbox_events' AS regclass) AS oid) AS int)) AS mine`);
  return rows[0].mine;
}

/** Locks the oldest rows that are neither processed nor given up, until the end of the client's transaction. */
export async function claim(client, limit) {
  const { rows } = await client.query(
    `SELECT o.id, o.aggregate_id, o.event_type, o.version, CAST(o.payload AS text) AS payload,
       to_char(o.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at,
       coalesce(h.headers, '{}') AS headers
     FROM outbox_events o LEFT JOIN outbox_events_header h ON h.id = o.id
     WHERE o.processed IS NOT TRUE
       AND NOT EXISTS (SELECT FROM outbox_events_failure f WHERE f.id = o.id AND f.dead_at IS NOT NULL)
     ORDER BY o.created_at, o.id LIMIT $1
     FOR UPDATE OF o SKIP LOCKED`,
    [limit]);
  return rows;
}

export async function markProcessed(client, ids) {
  await client.query(
    `UPDATE outbox_events SET processed = true, processed_at = clock_timestamp(), error_message = NULL
     WHERE id = ANY ($1)`,
    [ids]);
}

/** Notes why a row could not be sent; it is tried again. */
export async function storeError(client, id, message) {
  await client.query('UPDATE outbox_events SET error_message = $2 WHERE id = $1', [id, message.slice(0, 1024)]);
}

/** Gives a row up; an operator finds it with `postcommit dead list --layout polyshop`, and can replay it. */
export async function giveUp(client, row, message) {
  await storeError(client, row.id, message);
  await client.query(
    `INSERT INTO outbox_events_failure (id, key, attempts, dead_at, error) VALUES ($1, $2, 1, clock_timestamp(), $3)
     ON CONFLICT (id) DO UPDATE SET dead_at = excluded.dead_at, due_at = NULL, error = excluded.error`,
    [row.id, row.aggregate_id, message.slice(0, 1024)]);
}
