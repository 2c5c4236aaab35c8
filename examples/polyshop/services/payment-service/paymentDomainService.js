// What payments do when something happened to their order. Each change and the event about it are in one transaction, the
// caller's. Orders, reservations and cancellations come from different topics, so they are taken in whichever sequence they arrive.

import { randomUUID } from 'node:crypto';
import { PermanentError } from './envelope.js';
import { insertEvent } from './outboxRepository.js';

const PROVIDER = 'polypay';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** By event type: `(client, envelope, text)`, where `text` is the envelope as it came. */
export const handlers = {
  'order.order.placed.v1': orderPlaced,
  'order.order.cancelled.v1': orderCancelled,
  'inventory.stock.reserved.v1': stockReserved,
};

async function orderPlaced(client, envelope, text) {
  const orderId = await lockOrder(client, envelope);
  const { totalAmount, currency, items } = envelope.data;
  check(typeof totalAmount === 'number' && totalAmount >= 0, 'totalAmount must be a number of at least 0');
  check(typeof currency === 'string' && currency !== '', 'currency is missing');
  check(Array.isArray(items) && items.length > 0, 'items are missing');
  items.forEach(checkItem);
  // The amount is read by Postgres, to which 10.10 is 10.10.
  await client.query(
    `INSERT INTO payments (id, order_id, amount, currency, status)
     VALUES ($1, $2, CAST(CAST($4 AS jsonb) #>> '{data,totalAmount}' AS numeric), $3, 'INITIATED')
     ON CONFLICT (order_id) DO NOTHING`,
    [randomUUID(), orderId, currency, text]);
  await client.query(
    `INSERT INTO ordered_items (order_id, product_id, quantity)
     SELECT CAST($1 AS uuid), product, sum(quantity) FROM unnest($2::uuid[], $3::int[]) AS i(product, quantity) GROUP BY product
     ON CONFLICT DO NOTHING`,
    [orderId, items.map((item) => item.productId), items.map((item) => item.quantity)]);
  await cancelIfAsked(client, orderId, envelope);
  await chargeIfReserved(client, orderId, envelope);
}

async function stockReserved(client, envelope) {
  const orderId = await lockOrder(client, envelope);
  const { reservationId, productId, variantId, quantity } = envelope.data;
  check(UUID.test(reservationId), 'reservationId must be a UUID');
  check(variantId == null || UUID.test(variantId), 'variantId must be a UUID');
  checkItem(envelope.data);
  await client.query(
    `INSERT INTO reservations (order_id, reservation_id, product_id, variant_id, quantity) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [orderId, reservationId, productId, variantId, quantity]);
  await chargeIfReserved(client, orderId, envelope);
}

async function orderCancelled(client, envelope) {
  const orderId = await lockOrder(client, envelope);
  await client.query(
    'INSERT INTO cancelled_orders (order_id, reason) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [orderId, envelope.data.reason ?? null]);
  await cancelIfAsked(client, orderId, envelope);
}

/** Keeps other transactions about this order waiting: each is to see what the one before it found. */
async function lockOrder(client, { data: { orderId } }) {
  check(UUID.test(orderId), 'orderId must be a UUID');
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [orderId.toLowerCase()]);
  return orderId;
}

/** INITIATED to SUCCESS, once all that was ordered is reserved. */
async function chargeIfReserved(client, orderId, cause) {
  const { rows } = await client.query(
    `UPDATE payments p SET status = 'SUCCESS', provider = $2, provider_ref = 'pp_' || p.id, updated_at = clock_timestamp()
     WHERE p.order_id = $1 AND p.status = 'INITIATED' AND NOT EXISTS (
       SELECT FROM ordered_items o WHERE o.order_id = p.order_id AND o.quantity > (
         SELECT coalesce(sum(r.quantity), 0) FROM reservations r
         WHERE r.order_id = o.order_id AND r.product_id = o.product_id))
     RETURNING p.id`,
    [orderId, PROVIDER]);
  for (const { id } of rows) {
    await insertEvent(client, {
      eventType: 'payment.payment.succeeded.v1',
      aggregateId: orderId,
      payload: `(SELECT jsonb_build_object('paymentId', id, 'orderId', order_id, 'amount', amount, 'currency', currency,
        'provider', provider, 'createdAt', to_jsonb(updated_at AT TIME ZONE 'UTC') #>> '{}' || 'Z') FROM payments WHERE id = $4)`,
      parameters: [id],
      cause,
    });
  }
}

/** INITIATED to FAILED, if the order was cancelled. */
async function cancelIfAsked(client, orderId, cause) {
  const { rows } = await client.query(
    `UPDATE payments p SET status = 'FAILED', failure_reason = coalesce(c.reason, 'the order was cancelled'),
       updated_at = clock_timestamp()
     FROM cancelled_orders c WHERE c.order_id = p.order_id AND p.order_id = $1 AND p.status = 'INITIATED'
     RETURNING p.id`,
    [orderId]);
  for (const { id } of rows) {
    await insertEvent(client, {
      eventType: 'payment.payment.failed.v1',
      aggregateId: orderId,
      payload: `(SELECT jsonb_build_object('orderId', order_id, 'paymentId', id, 'failureReason', failure_reason,
        'failedAt', to_jsonb(updated_at AT TIME ZONE 'UTC') #>> '{}' || 'Z') FROM payments WHERE id = $4)`,
      parameters: [id],
      cause,
    });
  }
}

function checkItem({ productId, quantity }) {
  check(UUID.test(productId), 'productId must be a UUID');
  check(Number.isInteger(quantity) && quantity > 0, 'quantity must be a positive integer');
}

function check(condition, problem) {
  if (!condition) {
    throw new PermanentError(problem);
  }
}
