package dev.postcommit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.contract.OrderedTraffic;
import dev.postcommit.testkit.kafka.KafkaCluster;
import dev.postcommit.testkit.kafka.KafkaReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A cluster that answers, but cannot take messages: nothing of that is an event's fault, so none
 * uses up an attempt, and order is kept. Relays on tables of each kind, and senders without one, go
 * through each fault together.
 */
class ClusterFaultsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String USER = "relay";
  private static final int EVENTS = 50;

  private final KafkaCluster cluster = KafkaCluster.shared();
  private List<FaultedTable> tables = List.of();

  private void openTables(Map<String, String> client) {
    tables =
        Stream.of(
                Layout.nativeTable(),
                Layout.log(),
                Layout.preset("modkit"),
                Layout.preset("logistik"))
            .map(layout -> new FaultedTable(layout, client))
            .toList();
  }

  @AfterEach
  void close() {
    tables.forEach(FaultedTable::close);
  }

  private void createTopic(String topic) {
    cluster.createTopic(topic, 3, 3, Map.of("min.insync.replicas", "2"));
  }

  private void writeAll() throws Exception {
    for (FaultedTable table : tables) {
      table.write(EVENTS);
    }
  }

  private void awaitEmpty() {
    tables.forEach(table -> await(table + " is empty").atMost(PATIENCE).until(table::isEmpty));
  }

  /** Checks all tables, and names all that fail. */
  private void checkAll() {
    SoftAssertions all = new SoftAssertions();
    tables.forEach(table -> all.check(() -> table.check(cluster.bootstrapServers())));
    all.assertAll();
  }

  private void awaitWaiting() {
    tables.forEach(table -> await(table + " has to wait").atMost(PATIENCE).until(table::hasWaited));
  }

  /** What goes wrong, and how it ends. */
  private interface Fault {
    void happen(OrderedTraffic traffic) throws Exception;
  }

  private void through(Fault fault) throws Exception {
    Map<String, String> client = Map.of("bootstrap.servers", cluster.bootstrapServers());
    openTables(client);
    tables.forEach(table -> createTopic(table.topic()));
    tables.forEach(FaultedTable::start);
    String topic = "traffic-" + UUID.randomUUID();
    createTopic(topic);
    try (RecordedPublisher publisher = RecordedPublisher.impatient(client);
        OrderedTraffic traffic = new OrderedTraffic(publisher, topic)) {
      await().atMost(PATIENCE).until(traffic::isFlowing);
      writeAll();

      fault.happen(traffic);

      await().atMost(PATIENCE).until(traffic::isFlowing);
      traffic.stopAndCheckOrder(
          count -> KafkaReader.read(cluster.bootstrapServers(), topic, count));
      publisher.assertThatNoAttemptCounts();
    }
    writeAll();
    awaitEmpty();
    checkAll();
  }

  @Test
  @DisplayName("a leader that is killed costs no attempt, and order is kept")
  void aLeaderIsKilled() throws Exception {
    through(
        traffic -> {
          int leader = cluster.leader(tables.get(0).topic(), 0).orElseThrow();
          cluster.kill(leader);
          try {
            writeAll();
            await().atMost(PATIENCE).until(traffic::isInterrupted);
            await().atMost(PATIENCE).until(traffic::isFlowing);
          } finally {
            cluster.restart(leader);
          }
        });
  }

  @Test
  @DisplayName("too few replicas in sync cost no attempt, and order is kept")
  void twoOfThreeBrokersAreStopped() throws Exception {
    through(
        traffic -> {
          cluster.stop(1);
          cluster.stop(2);
          try {
            writeAll();
            await().atMost(PATIENCE).until(traffic::isInterrupted);
            awaitWaiting();
          } finally {
            CompletableFuture<Void> one = CompletableFuture.runAsync(() -> cluster.restart(1));
            cluster.restart(2);
            one.join();
          }
        });
  }

  @Test
  @DisplayName("a rolling restart costs no attempt, and order is kept")
  void aRollingRestart() throws Exception {
    through(
        traffic -> {
          for (int broker : cluster.brokers()) {
            writeAll();
            cluster.restart(broker);
          }
        });
  }

  @Test
  @DisplayName("a topic that is missing costs no attempt until it is created, and order is kept")
  void aTopicIsMissing() throws Exception {
    openTables(Map.of("bootstrap.servers", cluster.bootstrapServers()));
    tables.forEach(FaultedTable::start);
    writeAll();
    awaitWaiting();
    writeAll();
    tables.forEach(table -> assertThat(table.isEmpty()).as("%s", table).isFalse());

    tables.forEach(table -> createTopic(table.topic()));

    writeAll();
    awaitEmpty();
    checkAll();
  }

  @Test
  @DisplayName("an ACL that is missing costs no attempt until it is granted, and order is kept")
  void anAclIsMissing() throws Exception {
    openTables(cluster.clientSettings(USER));
    tables.forEach(table -> createTopic(table.topic()));
    tables.forEach(FaultedTable::start);
    writeAll();
    awaitWaiting();
    writeAll();

    try (Acls acls = new Acls(cluster.bootstrapServers(), USER)) {
      tables.forEach(table -> acls.grant(table.topic(), AclOperation.WRITE));
      writeAll();
      awaitEmpty();
      tables.forEach(table -> acls.revoke(table.topic(), AclOperation.WRITE));
    }
    checkAll();
  }
}
