// One line of JSON for each entry: what happened and the ids that belong to it, never a payload.

const write = (level) => (message, fields = {}) =>
  process.stderr.write(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }) + '\n');

export const log = { info: write('INFO'), warn: write('WARN'), error: write('ERROR') };

/** The ids of an envelope that every line about it carries. */
export const idsOf = ({ eventId, eventType, metadata }) => ({ eventId, eventType, traceId: metadata?.traceId });
