package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A topic of a test's own, what is written to it, and how far a group has read it. */
final class ConsumedTopic implements AutoCloseable {
  private final KafkaServer kafka;
  private final String name;
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  ConsumedTopic(KafkaServer kafka, int partitions) {
    this(kafka, "topic-" + UUID.randomUUID(), partitions, Map.of());
  }

  ConsumedTopic(KafkaServer kafka, String name, int partitions, Map<String, String> configs) {
    this.kafka = kafka;
    this.name = name;
    kafka.createTopic(name, partitions, configs);
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                // With more, a new topic can take the second request and never the first.
                "max.in.flight.requests.per.connection",
                1,
                "max.request.size",
                8 * 1024 * 1024,
                "linger.ms",
                0),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  String name() {
    return name;
  }

  Admin admin() {
    return admin;
  }

  /** A consumer of this topic, with the group of the event consumer's name. */
  KafkaEventConsumer.Builder consumer(EventConsumer consumer) {
    return KafkaEventConsumer.builder(consumer)
        .bootstrapServers(kafka.bootstrapServers())
        .topics(name);
  }

  void send(int partition, @Nullable String key, String body, Header... headers) {
    send(partition, key, body.getBytes(UTF_8), headers);
  }

  void send(int partition, @Nullable String key, byte @Nullable [] body, Header... headers) {
    byte[] keyBytes = key == null ? null : key.getBytes(UTF_8);
    var unused =
        producer.send(
            new ProducerRecord<>(name, partition, keyBytes, body, List.of(headers)),
            (sent, error) -> failure.compareAndSet(null, error));
  }

  /** Sends a message in a Kafka transaction of its own. */
  void sendInTransaction(int partition, String key, String body, boolean commit) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "transactional.id",
            UUID.randomUUID().toString());
    try (KafkaProducer<byte[], byte[]> inTransaction =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      inTransaction.initTransactions();
      inTransaction.beginTransaction();
      var unused =
          inTransaction.send(
              new ProducerRecord<>(name, partition, key.getBytes(UTF_8), body.getBytes(UTF_8)));
      inTransaction.flush();
      if (commit) {
        inTransaction.commitTransaction();
      } else {
        inTransaction.abortTransaction();
      }
    }
  }

  /** Waits until Kafka has everything that was sent. */
  void flush() {
    producer.flush();
    assertThat(failure.get()).as("what was sent to " + name).isNull();
  }

  /** Waits while more is sent, so that whoever is slow to come finds something to share. */
  static void awaitWhileSending(Runnable more, BooleanSupplier condition) {
    await()
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              more.run();
              return condition.getAsBoolean();
            });
  }

  /** The offset that a group has committed, or -1. */
  long committed(EventConsumer group, int partition) {
    try {
      OffsetAndMetadata offset =
          admin
              .listConsumerGroupOffsets(group.name())
              .partitionsToOffsetAndMetadata()
              .get()
              .get(new TopicPartition(name, partition));
      return offset == null ? -1 : offset.offset();
    } catch (ExecutionException e) {
      return -1;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The ids of a group's members; a member that leaves and comes again has another. */
  Set<String> members(EventConsumer group) throws InterruptedException, ExecutionException {
    return admin
        .describeConsumerGroups(List.of(group.name()))
        .describedGroups()
        .get(group.name())
        .get()
        .members()
        .stream()
        .map(MemberDescription::consumerId)
        .collect(Collectors.toSet());
  }

  /** Has a member join a group and read, and disappear without leaving the group. */
  void crashMember(EventConsumer group, Duration sessionTimeout) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "group.id",
            group.name(),
            "partition.assignment.strategy",
            CooperativeStickyAssignor.class.getName(),
            "session.timeout.ms",
            Math.toIntExact(sessionTimeout.toMillis()));
    KafkaConsumer<byte[], byte[]> member =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    member.subscribe(List.of(name));
    await()
        .until(
            () -> {
              member.poll(Duration.ofMillis(100));
              return !member.assignment().isEmpty();
            });
    member.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.REMAIN_IN_GROUP));
  }

  /** Removes all members of a group. */
  void throwOut(EventConsumer group) throws InterruptedException, ExecutionException {
    admin
        .removeMembersFromConsumerGroup(group.name(), new RemoveMembersFromConsumerGroupOptions())
        .all()
        .get();
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}
