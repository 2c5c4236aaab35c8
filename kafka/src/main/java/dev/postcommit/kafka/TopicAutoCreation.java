package dev.postcommit.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/**
 * Whether the brokers create a topic when a producer asks for it.
 *
 * <p>A producer that asks for a missing topic logs a warning again and again. If the brokers say
 * that they create none, no producer has to ask.
 */
final class TopicAutoCreation {
  private static final String SETTING = "auto.create.topics.enable";
  private static final long MEMORY_NANOS = Duration.ofMinutes(1).toNanos();

  private final Supplier<Admin> admin;
  private @Nullable Boolean remembered;
  private long rememberedAt;

  TopicAutoCreation(Supplier<Admin> admin) {
    this.admin = admin;
  }

  /** Whether they do; true if they do not say. */
  CompletionStage<Boolean> isOn() {
    @Nullable Boolean known = remembered();
    return known == null
        ? ask().exceptionally(error -> true).thenApply(this::remember)
        : CompletableFuture.completedFuture(known);
  }

  private synchronized @Nullable Boolean remembered() {
    return System.nanoTime() - rememberedAt < MEMORY_NANOS ? remembered : null;
  }

  private synchronized Boolean remember(Boolean on) {
    remembered = on;
    rememberedAt = System.nanoTime();
    return on;
  }

  private CompletionStage<Boolean> ask() {
    try {
      return admin.get().describeCluster().nodes().toCompletionStage().thenCompose(this::askOne);
    } catch (KafkaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<Boolean> askOne(Collection<Node> brokers) {
    Iterator<Node> any = brokers.iterator();
    if (!any.hasNext()) {
      return CompletableFuture.completedFuture(true);
    }
    ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, any.next().idString());
    return admin
        .get()
        .describeConfigs(List.of(broker))
        .all()
        .toCompletionStage()
        .thenApply(configs -> isOn(configs, broker));
  }

  private static boolean isOn(Map<ConfigResource, Config> configs, ConfigResource broker) {
    @Nullable Config config = configs.get(broker);
    @Nullable ConfigEntry entry = config == null ? null : config.get(SETTING);
    return entry == null || !"false".equals(entry.value());
  }
}
