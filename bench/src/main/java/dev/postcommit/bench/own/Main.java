package dev.postcommit.bench.own;

import dev.postcommit.bench.contender.Contender;
import dev.postcommit.bench.contender.Environment;
import dev.postcommit.bench.contender.Host;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Publisher;
import java.time.Duration;
import java.util.Locale;

/** The JVM of a contender that is Postcommit, or a limit. */
public final class Main {
  private static final String DELETING = "-deleting";

  private Main() {}

  /** Serves the driver. */
  public static void main(String[] arguments) throws Exception {
    Host.serve(arguments, Main::contender);
  }

  private static Contender contender(Environment environment) {
    String variant = environment.variant();
    return switch (variant) {
      case "kafka-producer" -> new BareProducer(environment);
      case "plain-insert" -> new PlainInsert(environment);
      case "sql-drain" ->
          new PostcommitContender(
              environment,
              BenchLayout.NATIVE,
              false,
              () -> Publisher.callback(Duration.ofSeconds(1), message -> {}));
      default ->
          new PostcommitContender(
              environment,
              BenchLayout.valueOf(variant.replace(DELETING, "").toUpperCase(Locale.ROOT)),
              variant.endsWith(DELETING),
              () ->
                  KafkaPublisher.builder()
                      .bootstrapServers(environment.bootstrapServers())
                      .build());
    };
  }
}
