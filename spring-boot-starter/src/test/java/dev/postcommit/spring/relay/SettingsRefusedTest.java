package dev.postcommit.spring.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.spring.Contexts;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What cannot be meant is refused when the application starts, with name and value. */
class SettingsRefusedTest {
  private final ApplicationContextRunner runner =
      Contexts.withoutDatabase().withUserConfiguration(Contexts.Published.class);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "batch-size=0 | postcommit.batch-size: '0' is not | from 1 to 10000",
        "batchSize=0 | postcommit.batchSize: '0' is not | from 1 to 10000",
        "batch-size=many | postcommit.batch-size: 'many' is not | from 1 to 10000",
        "batch-bytes=2MB | postcommit.batch-bytes: '2MB' is not | 8MiB",
        "batches-in-flight=65 | postcommit.batches-in-flight: '65' is not | from 1 to 64",
        "poll-interval=100 | postcommit.poll-interval: '100' is not a duration | 500ms",
        "poll-interval=20s | postcommit.poll-interval (20s) must be | postcommit.lease (30s)",
        "lease=1s | postcommit.lease (1s) must be longer | a delivery may take (1s)",
        "drain-timeout=-PT1S | postcommit.drain-timeout: '-PT1S' | shorter than 0s",
        "max-attempts=0 | postcommit.max-attempts: '0' is not | at least 1",
        "retry-base-delay=1h | postcommit.retry-base-delay (1h) must be | (5m)",
        "retention=soon | postcommit.retention: 'soon' is not | 'off'",
        "give-up-after=soon | postcommit.give-up-after: 'soon' is not | 'off'",
        "give-up-after=0 | postcommit.give-up-after: '0' is not | 'off'",
        "give-up-after=500ms | postcommit.give-up-after: '500ms' is | shorter than 1s",
        "table=a b | postcommit.table: 'a b' is not | schema.table",
        "layout=nativ | postcommit.layout: 'nativ' is not one of | did you mean native?",
        "layout-file=none.properties | postcommit.layout-file: | none.properties",
        "layout=modkit | postcommit.max-attempts must be given | set postcommit.max-attempts",
        "layout=polyshop | postcommit.source is not set | built",
        "source=orders | postcommit.source is 'orders' | raw",
        "route=fixed | postcommit.route: 'fixed' is not | fixed:<topic>",
        "route=registry | postcommit.route is registry | set postcommit.registry-file",
        "registry-file=none.json | postcommit.registry-file: | none.json",
        "dead-rows=keep | postcommit.dead-rows | the native layout has none",
        "namespace=a;postcommit.layout=logistik | namespace is a | logistik",
        "namespace=a;postcommit.layout=log | postcommit.namespace is 'a' | read as a whole",
        "on-delivery=delete;postcommit.layout=log | postcommit.on-delivery | postcommit.retention",
        "kafka.transactional-id=a | postcommit.kafka.transactional-id is 'a' | (publisher)",
        "tenant=me | postcommit.tenant: 'me' is not a UUID | UUID",
        "data-source=other | postcommit.data-source: 'other' | dataSource",
        "on-delivery=delete;postcommit.retention=1d | postcommit.retention is '1d' | is delete",
        "standby-names=a | postcommit.standby-names is 'a' | wait-for-standbys is 0",
        "standby-names=a,A;postcommit.wait-for-standbys=1 | standby-names: 'a,A' | named twice",
        "wait-for-standbys=1 | postcommit.wait-for-standbys is 1 | has 0",
        "wait-for-standbys=2;postcommit.standby-names=a | wait-for-standbys is 2 | has 1",
        "wait-for-standbys=-1 | postcommit.wait-for-standbys: '-1' | from 0 to 100",
        "migrate=perhaps | postcommit.migrate | perhaps",
        "batch.size=7 | unknown setting postcommit.batch.size | did you mean postcommit.batch-size?",
        "kafka.conf.acks=1 | unknown setting postcommit.kafka.conf.acks | did you mean",
      })
  void withNameAndValue(String given, String name, String reason) {
    runner
        .withPropertyValues(
            Arrays.stream(given.split(";"))
                .map(pair -> pair.startsWith("postcommit.") ? pair : "postcommit." + pair)
                .toArray(String[]::new))
        .run(
            context -> {
              assertThat(context).hasFailed();
              assertThat(messages(context.getStartupFailure())).contains(name).contains(reason);
            });
  }

  @Test
  void goodValuesAreTaken() {
    runner
        .withPropertyValues(
            "postcommit.layout=packfinderz",
            "postcommit.table=app.outbox_events",
            "postcommit.envelope=cloudevents-structured",
            "postcommit.source=/orders",
            "postcommit.route=template:{type}.v{version}",
            "postcommit.batch-bytes=512KiB",
            "postcommit.max-attempts=unlimited",
            "postcommit.retention=off",
            "postcommit.give-up-after=2h",
            "postcommit.wait-for-standbys=1",
            "postcommit.standby-names=replica1,replica2",
            "postcommit.ordering=NONE",
            "postcommit.on_delivery=Keep",
            "postcommit.namespace=")
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(RelayLifecycle.class));
  }

  @Test
  void aBeanAndASettingForTheSameThingAreRefused() {
    runner
        .withBean(
            "other", Publisher.class, () -> Publisher.callback(Duration.ofSeconds(1), m -> {}))
        .run(
            context ->
                assertThat(messages(context.getStartupFailure()))
                    .contains("there are several publishers (")
                    .contains("postcommit.broker"));
    runner
        .withBean(Layout.class, () -> Layout.preset("logistik"))
        .withPropertyValues("postcommit.table=orders_outbox")
        .run(
            context ->
                assertThat(messages(context.getStartupFailure()))
                    .contains("postcommit.table is 'orders_outbox'")
                    .contains("there is a bean of type Layout"));
  }

  private static String messages(Throwable failure) {
    List<Throwable> chain = Stream.iterate(failure, t -> t != null, Throwable::getCause).toList();
    return chain.stream().map(Throwable::getMessage).collect(Collectors.joining("\n"));
  }
}
