package dev.postcommit.bench.modulith;

import dev.postcommit.bench.contender.Environment;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.support.DelegatingEventExternalizer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.transaction.event.TransactionalApplicationListener;

/** The service while it runs. */
final class RunningService implements AutoCloseable {
  private final ConfigurableApplicationContext context;

  RunningService(Environment environment, Settings settings) {
    this.context =
        new SpringApplicationBuilder(Service.class)
            .web(WebApplicationType.NONE)
            .initializers(
                application ->
                    application
                        .getBeanFactory()
                        .registerSingleton("dataSource", environment.dataSource()))
            .properties(settings.properties())
            .properties(
                Map.of(
                    "spring.main.banner-mode", "off",
                    "spring.kafka.bootstrap-servers", environment.bootstrapServers(),
                    "bench.topic", environment.topic()))
            .run();
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Publishes an event to its listeners. */
  void publish(Placed event) {
    context.publishEvent(event);
  }

  /** Whom publications are for that are to go to Kafka. */
  PublicationTargetIdentifier target() {
    return ((AbstractApplicationContext) context)
        .getApplicationListeners().stream()
            .filter(TransactionalApplicationListener.class::isInstance)
            .map(listener -> ((TransactionalApplicationListener<?>) listener).getListenerId())
            .filter(id -> id.startsWith(DelegatingEventExternalizer.class.getName()))
            .map(PublicationTargetIdentifier::of)
            .findFirst()
            .orElseThrow();
  }

  /** Ends it as if it died: sends that wait for a thread are left to the next one. */
  @Override
  public void close() {
    ThreadPoolTaskExecutor threads = bean(ThreadPoolTaskExecutor.class);
    threads.getThreadPoolExecutor().getQueue().clear();
    bean(KafkaOperations.class).flush();
    context.close();
  }
}
