// What an event may be: the same as in Java. Anything else is refused by name before it is written.

import { randomBytes } from 'node:crypto';

const FIELDS = ['id', 'namespace', 'topic', 'tenant', 'dedupeKey', 'type', 'aggregateType', 'aggregateId', 'key',
  'version', 'headers', 'payload', 'availableAt'];
const RESERVED_HEADERS = ['event_id', 'event_type', 'aggregate_type', 'aggregate_id', 'created_at'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_PAYLOAD_BYTES = 1_000_000; // with headers; bytes count as base64
const TOPIC = /^(?!\.{1,2}$)[a-zA-Z0-9._-]{1,249}$|^projects\/[^/\s]+\/topics\/[^/\s]+$/;
const LATEST = new Date('9999-12-31T23:59:59Z');

/** An event that no table or broker would take; `field` says what is wrong with it. */
export class InvalidEventError extends Error {
  constructor(field, problem) {
    super(`${field}: ${problem}`);
    this.name = 'InvalidEventError';
    this.field = field;
  }
}

/**
 * The row of an event. Only `type` and `payload` are required. A payload is bytes (Uint8Array), JSON text (string), which is
 * kept byte for byte, or any other value, which becomes JSON.
 */
export function rowOf(event) {
  check(event !== null && typeof event === 'object', 'event', 'must be an object');
  const unknown = Object.keys(event).find((name) => !FIELDS.includes(name));
  check(unknown === undefined, unknown, 'there is no such field; there are ' + FIELDS.join(', '));
  const { type, id = uuid7(), namespace = 'default', topic = type, tenant, dedupeKey, aggregateType, aggregateId } = event;
  const { key = aggregateId, version = 1, headers = {}, payload, availableAt } = event;
  text('type', type);
  text('namespace', namespace);
  text('topic', topic);
  check(TOPIC.test(topic), topic === type ? 'type' : 'topic',
    "cannot be the name of a topic: Kafka allows up to 249 letters, digits, '.', '_' and '-'");
  ['aggregateId', 'key'].forEach((name) => check(!(name in event) || event[name] != null, name, 'must not be null; leave it out'));
  check(aggregateType == null || aggregateId != null, 'aggregateId', 'must not be null with an aggregateType');
  optional({ dedupeKey, aggregateType, aggregateId, key }, (name, value) => text(name, value, name === 'dedupeKey' ? 1024 : 512));
  optional({ id, tenant }, (name, value) => check(UUID.test(value), name, 'must be a UUID'));
  check(id != null, 'id', 'must be a UUID');
  check(Number.isInteger(version) && version >= 1 && version < 2 ** 31, 'version', 'must be an integer of at least 1');
  checkTenant(tenant, dedupeKey);
  checkTime(availableAt);
  return {
    id: id.toLowerCase(), namespace, topic, tenant, dedupe_key: dedupeKey, type, aggregate_type: aggregateType,
    aggregate_id: aggregateId, key, version, headers: headersOf(headers), payload: bytesOf(payload, headers), due_at: availableAt,
  };
}

function check(condition, field, problem) {
  if (!condition) {
    throw new InvalidEventError(field, problem);
  }
}

function optional(values, test) {
  Object.entries(values).filter(([, value]) => value != null).forEach(([name, value]) => test(name, value));
}

function text(field, value, limit = 512) {
  check(typeof value === 'string', field, 'must be a string');
  check(value.trim() !== '', field, 'must not be blank');
  bounded(field, value, limit);
}

function bounded(field, value, limit) {
  check(!value.includes('\0'), field, 'must not hold the character U+0000');
  check(value.isWellFormed(), field, 'is not valid Unicode: half a surrogate pair');
  const bytes = Buffer.byteLength(value);
  check(bytes <= limit, field, `is ${bytes} bytes long, more than the ${limit} allowed`);
}

function checkTenant(tenant, dedupeKey) {
  if (tenant != null && dedupeKey != null) {
    const ids = [tenant.toLowerCase(), tenant.toLowerCase().replaceAll('-', '')];
    const begins = ids.some((id) => dedupeKey.toLowerCase().startsWith(id + '/'));
    check(begins, 'dedupeKey', `must begin with the tenant's id and '/', that is '${ids[1]}/'`);
  }
}

function checkTime(time) {
  const fits = time == null || (time instanceof Date && time >= new Date(0) && time <= LATEST);
  check(fits, 'availableAt', 'must be a Date from 1970 to 9999');
}

function headersOf(headers) {
  check(headers !== null && typeof headers === 'object', 'headers', 'must be an object');
  const entries = Object.entries(headers);
  check(entries.length <= 100, 'headers', `at most 100 are allowed, not ${entries.length}`);
  for (const [name, value] of entries) {
    const printable = name.replace(/\p{Cc}/gu, '?');
    const field = `headers[${printable.slice(0, 64)}]`;
    check(name.trim() !== '', 'headers', "a header's name must not be blank");
    check(name === printable, field, 'the name must not hold control characters');
    check(!name.startsWith('goog'), field, "names that begin with 'goog' are refused by brokers");
    check(!RESERVED_HEADERS.includes(name), field, 'the relay sets this header itself');
    bounded(`${field} name`, name, 256);
    check(typeof value === 'string', field, 'the value must be a string');
    bounded(field, value, 1024);
  }
  return entries.length === 0 ? null : JSON.stringify(headers);
}

function bytesOf(payload, headers) {
  const binary = payload instanceof Uint8Array;
  const bytes = Buffer.from(binary ? payload : jsonOf(payload));
  const around = Object.entries(headers).flat().reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const size = around + (binary ? 4 * Math.ceil(bytes.length / 3) : bytes.length);
  const how = (binary ? ' as base64' : '') + (around > 0 ? ` with ${around} of headers` : '');
  check(size <= MAX_PAYLOAD_BYTES, 'payload', `is ${size} bytes${how}, more than the limit of ${MAX_PAYLOAD_BYTES}`);
  return bytes;
}

function jsonOf(payload) {
  if (typeof payload !== 'string') {
    const json = JSON.stringify(payload);
    check(json !== undefined && payload !== null, 'payload', 'must be bytes, JSON text, or a value that can be JSON');
    return json;
  }
  check(payload.isWellFormed(), 'payload', 'is not valid Unicode: half a surrogate pair');
  try {
    JSON.parse(payload);
  } catch {
    throw new InvalidEventError('payload', 'is not valid JSON');
  }
  return payload;
}

/** A UUID that begins with the time, so that new rows lie next to each other in the index. */
function uuid7() {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
