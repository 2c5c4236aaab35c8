package dev.postcommit.spring.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.settings.SetupException;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;

/** How the relay reaches Kafka in an application with several factories, or none. */
class KafkaFactoriesTest {
  private final ApplicationContextRunner application = Contexts.withoutDatabase();

  private static ProducerFactory<?, ?> factory() {
    return new DefaultKafkaProducerFactory<String, String>(
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:4"));
  }

  @Test
  void ofSeveralFactoriesOneMustBePrimary() {
    ApplicationContextRunner several =
        application
            .withPropertyValues("spring.kafka.bootstrap-servers=localhost:1")
            .withBean("text", ProducerFactory.class, KafkaFactoriesTest::factory)
            .withBean("json", ProducerFactory.class, KafkaFactoriesTest::factory);

    several.run(
        context ->
            assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("several beans of type ProducerFactory")
                .hasMessageContaining("postcommit.kafka.bootstrap-servers"));
    several
        .withPropertyValues("postcommit.kafka.bootstrap-servers=localhost:2")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void withoutSpringKafkaTheProducersOwnAddressIsReadToo() {
    application
        .withPropertyValues("spring.kafka.producer.bootstrap-servers=localhost:2")
        .withClassLoader(new FilteredClassLoader("org.springframework.kafka"))
        .run(context -> assertThat(context).hasNotFailed());
  }
}
