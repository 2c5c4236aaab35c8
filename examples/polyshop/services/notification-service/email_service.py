"""Which e-mail follows from which event. E-mail and the event about it are written in one transaction, the caller's."""

from datetime import datetime, timezone

from sqlalchemy.dialects.postgresql import insert

from envelope import PermanentError
from models import EmailLog, OrderOwner, OutboxEvent, OutboxHeader, Recipient

# The trace and the operation go on; other metadata are those of the event that was consumed.
CARRIED = ("traceId", "correlationId", "userId")


def user_created(session, envelope):
    user_id, address = _text(envelope, "userId"), _text(envelope, "email")
    _put(session, Recipient, user_id=user_id, email=address)
    _send(session, envelope, address, "welcome", userId=user_id)


def order_placed(session, envelope):
    order_id, user_id = _text(envelope, "orderId"), _text(envelope, "userId")
    _put(session, OrderOwner, order_id=order_id, user_id=user_id)
    _send(session, envelope, _address(session, user_id), "order-confirmation", orderId=order_id, userId=user_id)


def payment_succeeded(session, envelope):
    order_id, payment_id = _text(envelope, "orderId"), _text(envelope, "paymentId")
    owner = session.get(OrderOwner, order_id)
    user_id = owner.user_id if owner else envelope.metadata.get("userId")
    address = _address(session, user_id) if user_id else f"order-{order_id}@polyshop.example"
    _send(session, envelope, address, "payment-receipt", orderId=order_id, paymentId=payment_id, userId=user_id)


HANDLERS = {
    "auth.user.created.v1": user_created,
    "order.order.placed.v1": order_placed,
    "payment.payment.succeeded.v1": payment_succeeded,
}


def _send(session, envelope, address, template, **about):
    metadata = {**about, "eventId": str(envelope.event_id), "traceId": envelope.metadata.get("traceId")}
    email = EmailLog(to_address=address, template=template, status="SENT",
                     mail_metadata={name: value for name, value in metadata.items() if value is not None})
    session.add(email)
    session.flush()
    sent_at = datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")
    event = OutboxEvent(
        aggregate_id=str(email.id), event_type="notification.email.sent.v1",
        payload={"notificationId": str(email.id), "type": "EMAIL", "template": template, "sentAt": sent_at})
    session.add(event)
    session.flush()
    headers = {name: value for name, value in envelope.metadata.items() if name in CARRIED and isinstance(value, str)}
    if headers:
        session.add(OutboxHeader(id=event.id, headers=headers))


def _address(session, user_id):
    recipient = session.get(Recipient, user_id)
    return recipient.email if recipient else f"user-{user_id}@polyshop.example"


def _put(session, model, **row):
    session.execute(insert(model).values(**row).on_conflict_do_nothing())


def _text(envelope, field):
    value = envelope.data.get(field)
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise PermanentError(f"{field} is missing")
    return value
