// Consumes topics named after event types: look-up, change and mark in one transaction, and the offset after it.

import pg from 'pg';
import { DeadLetters } from './deadLetters.js';
import { PermanentError, readEnvelope } from './envelope.js';
import { idsOf, log } from './log.js';

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 16_000;
const HEARTBEAT_MS = 2_000;

/** Of the database: connections, resources, shutting down, transactions in each other's way; 23505: another was first. */
const TEMPORARY = /^(08|53|57|58|40|55P03|25P|25006|23505)/;

export class EventConsumer {
  #pool; #service; #handlers; #onHandled; #consumer; #letters; #stopped = false;

  constructor({ pool, kafka, service, handlers, onHandled }) {
    this.#pool = pool;
    this.#service = service;
    this.#handlers = handlers;
    this.#onHandled = onHandled;
    this.#consumer = kafka.consumer({ groupId: service, sessionTimeout: 10_000, retry: { initialRetryTime: 200, retries: 8 } });
    this.#letters = new DeadLetters({ kafka, service });
  }

  /** Calls `onReady` once partitions are assigned, and `onCrash` if the client gives up for good. */
  async start(onReady, onCrash) {
    const { GROUP_JOIN, CRASH } = this.#consumer.events;
    const stopListening = this.#consumer.on(GROUP_JOIN, () => (stopListening(), onReady()));
    this.#consumer.on(CRASH, ({ payload }) => {
      if (payload.restart) {
        log.warn('Kafka could not be read; trying again', { error: payload.error.message });
      } else {
        log.error('the consumer ended', { error: payload.error.message });
        onCrash();
      }
    });
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: Object.keys(this.#handlers), fromBeginning: true });
    await this.#consumer.run({
      autoCommit: false,
      partitionsConsumedConcurrently: 3,
      eachMessage: (message) => this.#consume(message),
    });
  }

  /** What is being handled is finished; what waits for its next attempt is left to the next start. */
  async stop() {
    this.#stopped = true;
    await this.#consumer.disconnect();
    await this.#letters.close();
  }

  async #consume({ topic, partition, message, heartbeat }) {
    const text = message.value?.toString() ?? '';
    for (let attempt = 0; ; attempt++) {
      let envelope;
      try {
        envelope = readEnvelope(text);
        await this.#handle(topic, envelope, text);
        break;
      } catch (e) {
        const ids = { topic, partition, offset: message.offset, ...idsOf(envelope ?? {}) };
        if (isPermanent(e) && (await this.#letters.send({ topic, partition, message, attempt, error: e }))) {
          log.error('given up and sent to the dead-letter topic', { ...ids, error: e.message });
          break;
        }
        const waitMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS);
        log.warn('could not be handled; trying again', { ...ids, attempt: attempt + 1, waitMs, error: e.message || e.code });
        await this.#wait(waitMs, heartbeat);
      }
    }
    await this.#consumer.commitOffsets([{ topic, partition, offset: (BigInt(message.offset) + 1n).toString() }]);
  }

  async #handle(topic, envelope, text) {
    const client = await this.#pool.connect();
    try {
      await client.query('BEGIN');
      const seen = await client.query('SELECT FROM processed_events WHERE event_id = $1', [envelope.eventId]);
      if (seen.rowCount === 0) {
        await this.#handlers[topic](client, envelope, text);
        await client.query(
          'INSERT INTO processed_events (event_id, event_type, source) VALUES ($1, $2, $3)',
          [envelope.eventId, envelope.eventType, envelope.source]);
      }
      await client.query('COMMIT');
      log.info(seen.rowCount === 0 ? 'handled' : 'duplicate', idsOf(envelope));
      this.#onHandled();
    } finally {
      // Ends what an error left open; a connection that is beyond that is thrown away.
      await client.query('ROLLBACK').then(() => client.release(), (e) => client.release(e));
    }
  }

  /** The consumer stays a member of its group, however long this takes: the message is not lost, and others wait for it. */
  async #wait(ms, heartbeat) {
    for (let left = ms; left > 0; left -= HEARTBEAT_MS) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, HEARTBEAT_MS)));
      if (this.#stopped) {
        throw new Error('stopped');
      }
      await heartbeat();
    }
  }
}

/** What the database finds wrong with the event, or the code with itself. All else is the network, which comes back. */
function isPermanent(e) {
  const refused = e instanceof pg.DatabaseError && !TEMPORARY.test(e.code);
  return refused || e instanceof PermanentError || e instanceof TypeError;
}
