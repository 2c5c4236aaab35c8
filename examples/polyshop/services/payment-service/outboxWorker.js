// Publishes the rows of outbox_events, in their order, one worker at a time.

import { Partitioners } from 'kafkajs';
import { writeEnvelope } from './envelope.js';
import { log } from './log.js';
import { claim, giveUp, markProcessed, storeError, takeTurn } from './outboxRepository.js';

const BATCH_SIZE = 100;
const IDLE_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Answers of the broker that concern one message for good. All others may pass. */
const PERMANENT = ['MESSAGE_TOO_LARGE', 'INVALID_TOPIC_EXCEPTION', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD'];

export class OutboxWorker {
  #pool; #kafka; #source; #producer; #running; #stopped = false; #wake = () => {}; #failures = 0;

  constructor({ pool, kafka, source }) {
    this.#pool = pool;
    this.#kafka = kafka;
    this.#source = source;
  }

  start() {
    this.#running = this.#run();
  }

  /** Ends the wait for new rows. */
  wake() {
    this.#wake();
  }

  async stop() {
    this.#stopped = true;
    this.wake();
    await this.#running;
    await this.#producer?.disconnect();
  }

  async #run() {
    while (!this.#stopped) {
      let wait = IDLE_MS;
      try {
        wait = (await this.#publishBatch()) === BATCH_SIZE ? 0 : IDLE_MS;
        this.#failures = 0;
      } catch (e) {
        wait = Math.min(IDLE_MS * 2 ** this.#failures++, LONGEST_WAIT_MS);
        log.warn('the outbox could not be published; trying again', { error: e.message, waitMs: wait });
      }
      if (wait > 0 && !this.#stopped) {
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, wait);
          this.#wake = () => (clearTimeout(timer), resolve());
        });
      }
    }
  }

  /** Holds the rows locked until the broker has answered for each: what is marked has arrived. */
  async #publishBatch() {
    const client = await this.#pool.connect();
    const sent = [];
    try {
      await client.query('BEGIN');
      const rows = (await takeTurn(client)) ? await claim(client, BATCH_SIZE) : [];
      let failure = null;
      for (const row of rows) {
        failure = await this.#publish(client, row, sent);
        if (failure !== null) {
          break;
        }
      }
      if (sent.length > 0) {
        await markProcessed(client, sent);
      }
      await client.query('COMMIT');
      if (failure !== null) {
        throw failure;
      }
      return rows.length;
    } finally {
      // Ends what an error left open; a connection that is beyond that is thrown away.
      await client.query('ROLLBACK').then(() => client.release(), (e) => client.release(e));
    }
  }

  /** Sends one row; the error, if it has to wait. */
  async #publish(client, row, sent) {
    const ids = { eventId: row.id, eventType: row.event_type, traceId: row.headers.traceId ?? row.id };
    try {
      await this.#send(row);
      sent.push(row.id);
      log.info('published', ids);
    } catch (e) {
      await this.#forgetProducer();
      if (PERMANENT.includes(e.type) || PERMANENT.includes(e.cause?.type)) {
        log.error('given up: the broker refused the event', { ...ids, error: e.message });
        await giveUp(client, row, e.message);
      } else {
        await storeError(client, row.id, e.message);
        return e;
      }
    }
    return null;
  }

  async #send(row) {
    this.#producer ??= await this.#connect();
    const attributes = {
      event_id: row.id, event_type: row.event_type, aggregate_id: row.aggregate_id, created_at: row.created_at,
    };
    await this.#producer.send({
      topic: row.event_type,
      acks: -1,
      messages: [{ key: row.aggregate_id, value: writeEnvelope(row, this.#source), headers: { ...row.headers, ...attributes } }],
    });
  }

  async #connect() {
    const producer = this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { initialRetryTime: 100, retries: 5 },
    });
    await producer.connect();
    return producer;
  }

  /** A producer that failed may have left a gap in its numbering, so the next message gets a new one. */
  async #forgetProducer() {
    const failed = this.#producer;
    this.#producer = undefined;
    await failed?.disconnect().catch(() => {});
  }
}
