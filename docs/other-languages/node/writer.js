// Writes events into the table postcommit_outbox in the caller's own transaction; a relay delivers them after commit.
//
//   await client.query('BEGIN');
//   await client.query('INSERT INTO orders ...');
//   await enqueue(client, { type: 'order.placed', aggregateId: orderId, payload: { total: 100 } });
//   await client.query('COMMIT');
//
// `client` is a Client of the package pg, not a Pool. The fields of an event are in event.js.

import { rowOf } from './event.js';

export { InvalidEventError } from './event.js';

const COLUMNS = {
  id: 'uuid', namespace: 'text', topic: 'text', tenant: 'uuid', dedupe_key: 'text', type: 'text',
  aggregate_type: 'text', aggregate_id: 'text', key: 'text', version: 'int', headers: 'jsonb',
  payload: 'bytea', due_at: 'timestamptz',
};
const NAMES = Object.keys(COLUMNS);

// A time that has come is null: due at once. Rows get their place in the order of delivery as they are inserted.
const INSERT = `
  INSERT INTO postcommit_outbox (${NAMES.join(', ')})
  SELECT ${NAMES.slice(0, -1).join(', ')}, NULLIF(GREATEST(due_at, now()), now())
  FROM unnest(${NAMES.map((name, i) => `$${i + 1}::${COLUMNS[name]}[]`).join(', ')})
    WITH ORDINALITY AS e(${NAMES.join(', ')}, n)
  ORDER BY n
  ON CONFLICT (namespace, topic, dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING
  RETURNING id`;

const FIND = `
  SELECT id FROM postcommit_outbox WHERE namespace = $1 AND topic = $2 AND dedupe_key = $3`;

// The row behind a dedupe key may vanish between two looks; more often than this it does not.
const TRIES = 3;

/** Writes one event; the answer is `{ status: 'written' | 'already-enqueued', id }`. */
export async function enqueue(client, event) {
  return (await enqueueAll(client, [event]))[0];
}

/** Writes many events with one statement, in their order; the answers are in the same order. */
export async function enqueueAll(client, events) {
  const rows = events.map(rowOf);
  requireTransaction(client);
  const answers = new Map();
  let left = rows;
  for (let i = 0; left.length > 0; i++) {
    if (i === TRIES) {
      throw new Error(`could not enqueue event ${left[0].id}: rows with its dedupe key come and go; try again`);
    }
    const inserted = await client.query(INSERT, NAMES.map((name) => left.map((row) => row[name])));
    inserted.rows.forEach(({ id }) => answers.set(id, { status: 'written', id }));
    left = left.filter((row) => !answers.has(row.id));
    for (const row of left) {
      const first = await client.query(FIND, [row.namespace, row.topic, row.dedupe_key]);
      first.rows.forEach(({ id }) => answers.set(row.id, { status: 'already-enqueued', id }));
    }
    left = left.filter((row) => !answers.has(row.id));
  }
  requireTransaction(client);
  return rows.map((row) => answers.get(row.id));
}

/** Asks the client, which the server tells with every answer; so this costs no round trip. */
function requireTransaction(client) {
  if (typeof client?.getTransactionStatus !== 'function') {
    throw new Error('client must be a Client of pg 8.23 or newer that has begun a transaction, not a Pool');
  }
  const status = client.getTransactionStatus();
  if (status === 'E') {
    throw new Error('the transaction has failed; roll it back');
  }
  if (status !== 'T') {
    throw new Error("no transaction: await client.query('BEGIN') first, and COMMIT after the events are written");
  }
}
