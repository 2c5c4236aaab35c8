package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
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
        "batch-size=0 | postcommit.batch-size with value '0' | from 1 to 10000",
        "batch-size=many | postcommit.batch-size | many",
        "batch-bytes=2MB | postcommit.batch-bytes with value '2MB' | 8MiB",
        "batches-in-flight=65 | postcommit.batches-in-flight with value '65' | from 1 to 64",
        "poll-interval=20s | postcommit.poll-interval with value '20s' | postcommit.lease (30s)",
        "lease=1s | postcommit.lease with value '1s' | a delivery may take (1s)",
        "drain-timeout=-1s | postcommit.drain-timeout | shorter than 0s",
        "max-attempts=0 | postcommit.max-attempts with value '0' | unlimited",
        "retry-base-delay=1h | postcommit.retry-base-delay with value '1h' | (5m)",
        "retention=soon | postcommit.retention with value 'soon' | 'off'",
        "give-up-after=soon | postcommit.give-up-after with value 'soon' | 'off'",
        "give-up-after=0 | postcommit.give-up-after with value '0' | 'off'",
        "give-up-after=500ms | postcommit.give-up-after with value '500ms' | shorter than 1s",
        "table=a b | postcommit.table with value 'a b' | schema.table",
        "layout=nativ | postcommit.layout | nativ",
        "layout-file=none.properties | postcommit.layout-file | none.properties",
        "layout=modkit | postcommit.max-attempts must be given | unlimited",
        "layout=polyshop | postcommit.source is not set | built",
        "source=orders | postcommit.source with value 'orders' | raw",
        "route=fixed | postcommit.route with value 'fixed' | fixed:<topic>",
        "route=registry | postcommit.route is registry | registry-file",
        "registry-file=none.json | postcommit.registry-file | none.json",
        "dead-rows=keep | postcommit.dead-rows | the native layout has none",
        "namespace=a;postcommit.layout=logistik | namespace is a | logistik",
        "namespace=a;postcommit.layout=log | namespace is a | read as a whole",
        "on-delivery=delete;postcommit.layout=log | postcommit.on-delivery | postcommit.retention",
        "kafka.transactional-id=a | postcommit.kafka.transactional-id with value 'a' | (publisher)",
        "tenant=me | postcommit.tenant | me",
        "data-source=other | postcommit.data-source with value 'other' | dataSource",
        "on-delivery=delete;postcommit.retention=1d | postcommit.retention with value '1d' | delete",
        "standby-names=a | postcommit.standby-names with value 'a' | wait-for-standbys is 0",
        "wait-for-standbys=1 | postcommit.wait-for-standbys with value '1' | has 0",
        "wait-for-standbys=2;postcommit.standby-names=a | with value '2' | has 1",
        "wait-for-standbys=-1 | postcommit.wait-for-standbys with value '-1' | from 0 to 100",
        "batch.size=7 | postcommit.batch.size | left unbound",
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
            "postcommit.ordering=none")
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
                    .contains("postcommit.table with value 'orders_outbox'")
                    .contains("there is a bean that is a Layout"));
  }

  @Test
  void anAnalyzerShowsWhatToDo() {
    var analysis =
        new SetupFailureAnalyzer()
            .analyze(
                new IllegalStateException(
                    new SetupException("there is no table t", "set postcommit.migrate=true")));

    assertThat(analysis.getDescription()).isEqualTo("There is no table t.");
    assertThat(analysis.getAction()).isEqualTo("Set postcommit.migrate=true.");
  }

  private static String messages(Throwable failure) {
    List<Throwable> chain = Stream.iterate(failure, t -> t != null, Throwable::getCause).toList();
    return chain.stream().map(Throwable::getMessage).collect(Collectors.joining("\n"));
  }
}
