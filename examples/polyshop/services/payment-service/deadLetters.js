// Where messages go that cannot be handled: {topic}.dlt, in the form that `postcommit dlt` lists, shows and replays.

import { Partitioners } from 'kafkajs';
import { log } from './log.js';

export class DeadLetters {
  #kafka; #service; #producer; #created = new Set();

  constructor({ kafka, service }) {
    this.#kafka = kafka;
    this.#service = service;
  }

  async close() {
    await this.#producer?.disconnect();
  }

  /** Whether the letter was sent; if not, its message must not be given up yet. */
  async send(dead) {
    try {
      const topic = `${dead.topic}.dlt`;
      this.#producer ??= await this.#connect();
      await this.#createIfMissing(topic);
      await this.#producer.send({ topic, acks: -1, messages: [this.#letter(dead)] });
      return true;
    } catch (e) {
      log.warn('the dead-letter topic could not be written', { topic: dead.topic, error: e.message });
      return false;
    }
  }

  async #connect() {
    const producer = this.#kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { initialRetryTime: 100, retries: 3 },
    });
    await producer.connect();
    return producer;
  }

  /** Letters are kept until someone has dealt with them. */
  async #createIfMissing(topic) {
    if (this.#created.has(topic)) {
      return;
    }
    const admin = this.#kafka.admin();
    try {
      await admin.connect();
      await admin.createTopics({ topics: [{ topic, configEntries: [{ name: 'retention.ms', value: '-1' }] }] });
      this.#created.add(topic);
    } finally {
      await admin.disconnect();
    }
  }

  #letter({ topic, partition, message, attempt, error }) {
    const { encoding, text, eventId } = originalOf(message.value);
    const about = { errorMessage: error.message, failedAt: new Date().toISOString(), consumerService: this.#service };
    return {
      key: message.key,
      value: `{"eventId":${JSON.stringify(eventId)},"originalEvent":${text},${JSON.stringify(about).slice(1)}`,
      headers: {
        ...message.headers,
        dlt_original_topic: topic,
        dlt_original_partition: String(partition),
        dlt_original_offset: message.offset,
        dlt_original_timestamp: message.timestamp,
        dlt_original_encoding: encoding,
        dlt_error_class: error.name,
        dlt_attempts: String(attempt + 1),
        dlt_consumer: this.#service,
      },
    };
  }
}

/** The body as it came, as a value within JSON. */
function originalOf(body) {
  if (body === null) {
    return { encoding: 'none', text: 'null', eventId: null };
  }
  try {
    const text = body.toString();
    return { encoding: 'json', text, eventId: JSON.parse(text)?.eventId ?? null };
  } catch {
    return { encoding: 'base64', text: JSON.stringify(body.toString('base64')), eventId: null };
  }
}
