// The envelope that all services of PolyShop exchange.

/** An event that cannot be handled however often it is tried. */
export class PermanentError extends Error {}

/** Reads a message; what is no envelope is refused. */
export function readEnvelope(text) {
  let envelope;
  try {
    envelope = JSON.parse(text);
  } catch {
    throw new PermanentError('the message is not JSON');
  }
  for (const field of ['eventId', 'eventType']) {
    if (typeof envelope?.[field] !== 'string') {
      throw new PermanentError(`the envelope has no ${field}`);
    }
  }
  if (envelope.data === null || typeof envelope.data !== 'object') {
    throw new PermanentError('the envelope has no data');
  }
  return envelope;
}

/** Writes the envelope of a row; the payload goes in as the database gave it, digit for digit. */
export function writeEnvelope(row, source) {
  const { traceId, correlationId, idempotencyKey, userId } = row.headers;
  const head = { eventId: row.id, timestamp: row.created_at, eventType: row.event_type, version: row.version, source };
  const metadata = { traceId: traceId ?? row.id, correlationId: correlationId ?? row.id, idempotencyKey, userId };
  return `${JSON.stringify(head).slice(0, -1)},"data":${row.payload},"metadata":${JSON.stringify(metadata)}}`;
}
