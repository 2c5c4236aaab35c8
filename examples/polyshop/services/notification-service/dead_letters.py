"""Where messages go that cannot be handled: {topic}.dlt, in the form that `postcommit dlt` lists, shows and replays."""

import base64
import json
from datetime import datetime, timezone

from confluent_kafka import KafkaError, KafkaException, Producer
from confluent_kafka.admin import AdminClient, NewTopic

SEND_SECONDS = 10


class DeadLetters:
    def __init__(self, brokers, service):
        self._brokers = brokers
        self._service = service
        self._producer = None

    def send(self, message, error, attempts):
        """Sends a letter, or raises: then its message must not be given up yet."""
        try:
            self._produce(message, error, attempts)
        except KafkaException as e:
            self._producer = None
            if e.args[0].code() not in (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._UNKNOWN_TOPIC):
                raise
            self._create(message.topic() + ".dlt")
            self._produce(message, error, attempts)

    def _produce(self, message, error, attempts):
        answers = []
        encoding, original, event_id = _original(message.value())
        about = {"errorMessage": str(error)[:2000], "failedAt": datetime.now(timezone.utc).isoformat().replace("+00:00", "Z"),
                 "consumerService": self._service}
        value = f'{{"eventId": {json.dumps(event_id)}, "originalEvent": {original}, {json.dumps(about)[1:]}'
        headers = list(message.headers() or []) + [
            ("dlt_original_topic", message.topic()),
            ("dlt_original_partition", str(message.partition())),
            ("dlt_original_offset", str(message.offset())),
            ("dlt_original_timestamp", str(message.timestamp()[1])),
            ("dlt_original_encoding", encoding),
            ("dlt_error_class", type(error).__name__),
            ("dlt_attempts", str(attempts)),
            ("dlt_consumer", self._service),
        ]
        producer = self._connected()
        producer.produce(message.topic() + ".dlt", key=message.key(), value=value.encode(), headers=headers,
                         on_delivery=lambda failure, _: answers.append(failure))
        producer.flush()
        if answers[0] is not None:
            raise KafkaException(answers[0])

    def _connected(self):
        if self._producer is None:
            self._producer = Producer({
                "bootstrap.servers": self._brokers, "enable.idempotence": True, "acks": "all",
                "partitioner": "murmur2_random", "delivery.timeout.ms": SEND_SECONDS * 1000,
                "log_level": 0, "error_cb": lambda _: None})
        return self._producer

    def _create(self, topic):
        admin = AdminClient({"bootstrap.servers": self._brokers, "log_level": 0})
        topics = admin.create_topics([NewTopic(topic, -1, -1, config={"retention.ms": "-1"})])
        try:
            topics[topic].result(SEND_SECONDS)
        except KafkaException as e:
            if e.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                raise


def _original(body):
    """The body as it came, as a value within JSON; how it is kept, and the event's id if it tells."""
    if body is None:
        return "none", "null", None
    try:
        text = body.decode()
        fields = json.loads(text)
        return "json", text, fields.get("eventId") if isinstance(fields, dict) else None
    except ValueError:
        return "base64", json.dumps(base64.b64encode(body).decode()), None
