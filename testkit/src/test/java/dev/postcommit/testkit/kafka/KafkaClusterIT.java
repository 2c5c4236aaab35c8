package dev.postcommit.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class KafkaClusterIT {
  private final KafkaCluster cluster = KafkaCluster.shared();
  private final String topic = "topic-" + UUID.randomUUID();

  @Test
  void theBrokersThatAreLeftLeadAnswerAndTakeNothingThatMoreHaveToHave() throws Exception {
    cluster.createTopic(topic, 1, 3, Map.of("min.insync.replicas", "2"));
    int first = cluster.leader(topic, 0).orElseThrow();
    try (Producer<String, String> producer = producer(Map.of());
        Producer<String, String> hasty = producer(Map.of("delivery.timeout.ms", "1500"))) {
      producer.send(new ProducerRecord<>(topic, "with three")).get();

      cluster.kill(first);
      producer.send(new ProducerRecord<>(topic, "with two")).get();
      int second = cluster.leader(topic, 0).orElseThrow();
      assertThat(second).isNotEqualTo(first);

      cluster.stop(second);
      int last = cluster.leader(topic, 0).orElseThrow();
      assertThat(cluster.inSync(topic, 0)).isEqualTo(Set.of(last));
      Future<RecordMetadata> sent = hasty.send(new ProducerRecord<>(topic, "with one"));
      assertThatThrownBy(sent::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOfAny(TimeoutException.class, NotEnoughReplicasException.class);

      CompletableFuture<Void> other = CompletableFuture.runAsync(() -> cluster.restart(first));
      cluster.restart(second);
      other.join();
      producer.send(new ProducerRecord<>(topic, "with three again")).get();
      await().untilAsserted(() -> assertThat(cluster.inSync(topic, 0)).hasSize(3));
    }
    assertThat(KafkaReader.read(cluster.bootstrapServers(), topic, 3)).hasSize(3);
  }

  @Test
  void aUserMayDoWhatAnAclAllows() throws Exception {
    cluster.createTopic(topic, 1, 3, Map.of());
    Map<String, String> user = cluster.clientSettings("relay");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
      try (Producer<String, String> producer = producer(user)) {
        assertThatThrownBy(() -> producer.send(new ProducerRecord<>(topic, "no")).get())
            .rootCause()
            .isInstanceOf(AuthorizationException.class);
      }
      AclBinding write =
          new AclBinding(
              new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
              new AccessControlEntry(
                  "User:relay", "*", AclOperation.WRITE, AclPermissionType.ALLOW));
      admin.createAcls(List.of(write)).all().get();
      await()
          .ignoreExceptions()
          .until(
              () -> {
                try (Producer<String, String> producer = producer(user)) {
                  return producer.send(new ProducerRecord<>(topic, "yes")).get().hasOffset();
                }
              });
    }
  }

  @Test
  void aSettingKafkaRefusesIsShownWithItsLog() {
    KafkaCluster.Builder builder =
        KafkaCluster.builder().brokers(1).setting("num.io.threads", "many");

    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("num.io.threads");
  }

  private Producer<String, String> producer(Map<String, String> settings) {
    Map<String, Object> all = new HashMap<>();
    all.put("bootstrap.servers", cluster.bootstrapServers());
    all.put("request.timeout.ms", "1000");
    all.put("delivery.timeout.ms", "20000");
    all.put("max.block.ms", "5000");
    all.putAll(settings);
    return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
  }
}
