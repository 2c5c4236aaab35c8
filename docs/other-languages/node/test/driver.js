// Does what each line of its input says, in JSON, and answers each with a line: so that a test has a writer in Node.js.

import { createInterface } from 'node:readline';
import pg from 'pg';
import { enqueue, enqueueAll } from '../writer.js';

const client = new pg.Client(process.argv[2]);
await client.connect();

const actions = {
  sql: async ({ sql }) => void (await client.query(sql)),
  begin: async () => void (await client.query('BEGIN')),
  commit: async () => void (await client.query('COMMIT')),
  rollback: async () => void (await client.query('ROLLBACK')),
  enqueue: async ({ event }) => [await enqueue(client, given(event))],
  enqueueAll: async ({ events }) => await enqueueAll(client, events.map(given)),
};

/** The event as a program in this language would give it; its payload comes as `text`, `base64` or any other `value`. */
function given({ payload, availableAt, ...event }) {
  if (payload?.text !== undefined) {
    event.payload = payload.text;
  } else if (payload?.base64 !== undefined) {
    event.payload = Buffer.from(payload.base64, 'base64');
  } else {
    event.payload = payload?.value;
  }
  return availableAt === undefined ? event : { ...event, availableAt: new Date(availableAt) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = { answers: (await actions[request.do](request)) ?? [] };
  } catch (e) {
    answer = { error: e.message, field: e.field ?? null };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
await client.end();
