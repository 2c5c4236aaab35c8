package dev.postcommit.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Ordering;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.server.settings.BrokerSettings.BrokerName;
import dev.postcommit.server.settings.ProcessSettings.LogFormat;
import dev.postcommit.server.settings.ServerSettings.LayoutName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {
  private static final Settings NOTHING_GIVEN =
      Settings.read(Map.of(), null, Map.of(), Path.of("no such directory"));

  @Test
  void everyNameIsAsDocumented() {
    Map<String, String> names = new LinkedHashMap<>();
    for (Setting<?> setting : ServerSettings.ALL) {
      names.put(setting.flag(), setting.variable() + " " + setting.property());
    }
    Map<String, String> expected = new LinkedHashMap<>();
    expected.put("--database-url", "POSTCOMMIT_DATABASE_URL postcommit.database.url");
    expected.put("--database-user", "POSTCOMMIT_DATABASE_USER postcommit.database.user");
    expected.put(
        "--database-password", "POSTCOMMIT_DATABASE_PASSWORD postcommit.database.password");
    expected.put("--table", "POSTCOMMIT_TABLE postcommit.table");
    expected.put("--layout", "POSTCOMMIT_LAYOUT postcommit.layout");
    expected.put("--layout-file", "POSTCOMMIT_LAYOUT_FILE postcommit.layout.file");
    expected.put("--on-delivery", "POSTCOMMIT_ON_DELIVERY postcommit.on.delivery");
    expected.put("--dead-rows", "POSTCOMMIT_DEAD_ROWS postcommit.dead.rows");
    expected.put("--envelope", "POSTCOMMIT_ENVELOPE postcommit.envelope");
    expected.put("--source", "POSTCOMMIT_SOURCE postcommit.source");
    expected.put("--route", "POSTCOMMIT_ROUTE postcommit.route");
    expected.put("--registry-file", "POSTCOMMIT_REGISTRY_FILE postcommit.registry.file");
    expected.put("--broker", "POSTCOMMIT_BROKER postcommit.broker");
    expected.put(
        "--kafka-bootstrap-servers",
        "POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS postcommit.kafka.bootstrap.servers");
    expected.put("--kafka-config", "POSTCOMMIT_KAFKA_CONFIG postcommit.kafka.config");
    expected.put(
        "--kafka-config-file", "POSTCOMMIT_KAFKA_CONFIG_FILE postcommit.kafka.config.file");
    expected.put("--pubsub-project", "POSTCOMMIT_PUBSUB_PROJECT postcommit.pubsub.project");
    expected.put("--pubsub-endpoint", "POSTCOMMIT_PUBSUB_ENDPOINT postcommit.pubsub.endpoint");
    expected.put(
        "--pubsub-delivery-timeout",
        "POSTCOMMIT_PUBSUB_DELIVERY_TIMEOUT postcommit.pubsub.delivery.timeout");
    expected.put("--batch-size", "POSTCOMMIT_BATCH_SIZE postcommit.batch.size");
    expected.put("--batch-bytes", "POSTCOMMIT_BATCH_BYTES postcommit.batch.bytes");
    expected.put(
        "--batches-in-flight", "POSTCOMMIT_BATCHES_IN_FLIGHT postcommit.batches.in.flight");
    expected.put("--poll-interval", "POSTCOMMIT_POLL_INTERVAL postcommit.poll.interval");
    expected.put("--lease", "POSTCOMMIT_LEASE postcommit.lease");
    expected.put("--drain-timeout", "POSTCOMMIT_DRAIN_TIMEOUT postcommit.drain.timeout");
    expected.put("--ordering", "POSTCOMMIT_ORDERING postcommit.ordering");
    expected.put("--max-attempts", "POSTCOMMIT_MAX_ATTEMPTS postcommit.max.attempts");
    expected.put("--retry-base-delay", "POSTCOMMIT_RETRY_BASE_DELAY postcommit.retry.base.delay");
    expected.put("--retry-max-delay", "POSTCOMMIT_RETRY_MAX_DELAY postcommit.retry.max.delay");
    expected.put("--namespace", "POSTCOMMIT_NAMESPACE postcommit.namespace");
    expected.put("--tenant", "POSTCOMMIT_TENANT postcommit.tenant");
    expected.put("--retention", "POSTCOMMIT_RETENTION postcommit.retention");
    expected.put("--relays", "POSTCOMMIT_RELAYS postcommit.relays");
    expected.put("--http-port", "POSTCOMMIT_HTTP_PORT postcommit.http.port");
    expected.put("--http-address", "POSTCOMMIT_HTTP_ADDRESS postcommit.http.address");
    expected.put("--admin-port", "POSTCOMMIT_ADMIN_PORT postcommit.admin.port");
    expected.put("--admin-address", "POSTCOMMIT_ADMIN_ADDRESS postcommit.admin.address");
    expected.put("--admin-token", "POSTCOMMIT_ADMIN_TOKEN postcommit.admin.token");
    expected.put("--log-format", "POSTCOMMIT_LOG_FORMAT postcommit.log.format");
    expected.put("--otlp-endpoint", "POSTCOMMIT_OTLP_ENDPOINT postcommit.otlp.endpoint");
    assertThat(names).containsExactlyEntriesOf(expected);
  }

  @Test
  void everyDefaultIsAsDocumented() {
    Map<String, Object> defaults = new LinkedHashMap<>();
    for (Setting<?> setting : ServerSettings.ALL) {
      defaults.put(setting.name(), NOTHING_GIVEN.find(setting).map(Object.class::cast).orElse("-"));
    }
    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("database-url", "-");
    expected.put("database-user", "-");
    expected.put("database-password", "-");
    expected.put("table", "-");
    expected.put("layout", LayoutName.NATIVE);
    expected.put("layout-file", "-");
    expected.put("on-delivery", OnDelivery.KEEP);
    expected.put("dead-rows", "-");
    expected.put("envelope", "-");
    expected.put("source", "-");
    expected.put("route", "-");
    expected.put("registry-file", "-");
    expected.put("broker", BrokerName.KAFKA);
    expected.put("kafka-bootstrap-servers", "-");
    expected.put("kafka-config", "-");
    expected.put("kafka-config-file", "-");
    expected.put("pubsub-project", "-");
    expected.put("pubsub-endpoint", "-");
    expected.put("pubsub-delivery-timeout", Duration.ofSeconds(20));
    expected.put("batch-size", 500);
    expected.put("batch-bytes", 8L * 1024 * 1024);
    expected.put("batches-in-flight", 4);
    expected.put("poll-interval", Duration.ofMillis(100));
    expected.put("lease", Duration.ofSeconds(30));
    expected.put("drain-timeout", Duration.ofSeconds(10));
    expected.put("ordering", Ordering.PER_KEY);
    expected.put("max-attempts", "-");
    expected.put("retry-base-delay", "-");
    expected.put("retry-max-delay", "-");
    expected.put("namespace", "-");
    expected.put("tenant", "-");
    expected.put("retention", Duration.ofDays(30));
    expected.put("relays", "-");
    expected.put("http-port", 8580);
    expected.put("http-address", "0.0.0.0");
    expected.put("admin-port", ProcessSettings.OFF);
    expected.put("admin-address", "127.0.0.1");
    expected.put("admin-token", "-");
    expected.put("log-format", LogFormat.TEXT);
    expected.put("otlp-endpoint", "-");
    assertThat(defaults).containsExactlyEntriesOf(expected);
  }

  @Test
  void defaultsAreThoseOfTheRelay() {
    RelayConfig relay = RelayConfig.DEFAULT;
    assertThat(NOTHING_GIVEN.get(ServerSettings.BATCH_SIZE)).isEqualTo(relay.batchSize());
    assertThat(NOTHING_GIVEN.get(ServerSettings.BATCH_BYTES)).isEqualTo(relay.batchBytes());
    assertThat(NOTHING_GIVEN.get(ServerSettings.LEASE)).isEqualTo(relay.lease());
  }

  @Test
  void everySettingSaysWhatItIs() {
    assertThat(ServerSettings.ALL)
        .allSatisfy(setting -> assertThat(setting.description()).endsWith("."));
  }
}
