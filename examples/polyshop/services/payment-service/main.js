// PolyShop's payment-service: consumes orders and reservations of stock, charges, and publishes what became of payments
// through an outbox of its own. Needs DATABASE_URL (a database with the tables outbox_events, layout polyshop, and
// processed_events), KAFKA_BOOTSTRAP_SERVERS and SERVICE_NAME. Ends on SIGTERM.

import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { EventConsumer } from './consumer.js';
import { log } from './log.js';
import { OutboxWorker } from './outboxWorker.js';
import { handlers } from './paymentDomainService.js';
import { createTables } from './tables.js';

function required(name) {
  if (!process.env[name]) {
    console.error(`payment-service: ${name} is not set`);
    process.exit(1);
  }
  return process.env[name];
}

const service = required('SERVICE_NAME');
const brokers = required('KAFKA_BOOTSTRAP_SERVERS').split(',');
const pool = new pg.Pool({ connectionString: required('DATABASE_URL'), max: 5, application_name: service });
pool.on('error', (e) => log.warn('a connection to the database was lost', { error: e.message }));
// Of one that is in use, whoever uses it hears with the next query.
pool.on('connect', (client) => client.on('error', () => {}));

const kafka = new Kafka({ clientId: service, brokers, logLevel: logLevel.NOTHING });
const worker = new OutboxWorker({ pool, kafka, source: service });
const consumer = new EventConsumer({ pool, kafka, service, handlers, onHandled: () => worker.wake() });

let stopping = false;
async function stop(exitCode) {
  if (!stopping) {
    stopping = true;
    await consumer.stop();
    await worker.stop();
    await pool.end();
    process.exitCode = exitCode;
  }
}
process.on('SIGTERM', () => stop(0));
process.on('SIGINT', () => stop(0));

try {
  await createTables(pool);
  worker.start();
  await consumer.start(() => console.log(`${service} ready`), () => stop(1));
} catch (e) {
  log.error('could not start', { error: e.message || e.code });
  await stop(1);
}
