package dev.postcommit.spring.relay;

import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.relay.Router;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.settings.ConfiguredRelay;
import dev.postcommit.settings.SettingConflicts;
import dev.postcommit.spring.OutboxAutoConfiguration;
import dev.postcommit.spring.OutboxDataSource;
import dev.postcommit.spring.TableRequirement;
import dev.postcommit.spring.WakeUp;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.spring.settings.SpringSettings;
import dev.postcommit.store.OutboxAdmin;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** The relay of an application that has a publisher. */
@AutoConfiguration(
    after = {
      OutboxAutoConfiguration.class,
      KafkaPublisherAutoConfiguration.class,
      PubSubPublisherAutoConfiguration.class
    })
@ConditionalOnBean(OutboxDataSource.class)
@ConditionalOnBooleanProperty(name = "postcommit.relay.enabled", matchIfMissing = true)
public class RelayAutoConfiguration {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(Publisher.class)
  static class WithPublisher {

    /** A retry policy of the application takes precedence over that of the settings. */
    @Bean
    RelayLayout postcommitRelayLayout(Layout layout, ObjectProvider<RetryPolicy> retries) {
      @Nullable RetryPolicy own = retries.getIfAvailable();
      return new RelayLayout(own == null ? layout : layout.withRetryPolicy(own));
    }

    @Bean
    @ConditionalOnMissingBean
    OutboxAdmin postcommitAdmin(OutboxDataSource dataSource, RelayLayout layout) {
      return OutboxAdmin.of(dataSource.dataSource(), layout.layout());
    }

    @Bean
    @DependsOnDatabaseInitialization
    RelayLifecycle postcommitRelay(
        SpringSettings settings,
        OutboxDataSource dataSource,
        RelayLayout table,
        Outbox outbox,
        WakeUp wakeUp,
        ListableBeanFactory beans,
        ObjectProvider<Publisher> publishers,
        ObjectProvider<Envelope> envelopes,
        ObjectProvider<Router> routers,
        ObjectProvider<EventCheck> checks,
        ObjectProvider<RelayListener> listeners) {
      Publisher publisher = only(publishers, beans);
      checkTransactions(settings, beans);
      SettingConflicts.check(settings, table.layout(), BrokerName.KAFKA);
      Function<RelayStatus, Relay> relays =
          status -> {
            Relay.Builder relay =
                Relay.builder(dataSource.dataSource(), publisher)
                    .layout(table.layout())
                    .maxPayloadBytes(outbox.maxPayloadBytes());
            ConfiguredMessages.of(
                    settings,
                    table.layout(),
                    envelopes.getIfAvailable(),
                    own(routers),
                    checks.getIfAvailable())
                .apply(relay);
            listeners.orderedStream().forEach(relay::listener);
            return ConfiguredRelay.build(
                settings,
                table.layout(),
                publisher,
                relay.listener(status),
                "a publisher with shorter timeouts");
          };
      // Settings are checked before anything starts.
      Relay unused = relays.apply(new RelayStatus());
      return new RelayLifecycle(relays, table.layout(), wakeUp);
    }

    @Bean
    TableRequirement postcommitRelayRequirement(SpringSettings settings) {
      return check -> ConfiguredRelay.problems(settings, check);
    }

    /** Refuses a transactional id if the publisher is not the one that has it. */
    private static void checkTransactions(SpringSettings settings, ListableBeanFactory beans) {
      if (!beans.containsBean(KafkaPublisherAutoConfiguration.TRANSACTIONAL_BEAN)) {
        settings.refuse(
            BrokerSettings.KAFKA_TRANSACTIONAL_ID,
            "events go to another publisher (%s)"
                .formatted(String.join(", ", beans.getBeanNamesForType(Publisher.class))),
            BrokerSettings.BROKER,
            "kafka and have no publisher of your own");
      }
    }

    /** A router that is also a check, such as a registry, counts only if the route asks for it. */
    private static @Nullable Router own(ObjectProvider<Router> routers) {
      return routers
          .orderedStream()
          .filter(router -> !(router instanceof EventCheck))
          .findFirst()
          .orElse(null);
    }

    private static Publisher only(ObjectProvider<Publisher> publishers, ListableBeanFactory beans) {
      @Nullable Publisher publisher = publishers.getIfUnique();
      if (publisher == null) {
        throw new SetupException(
            "there are several publishers (%s), and events go to one"
                .formatted(String.join(", ", beans.getBeanNamesForType(Publisher.class))),
            "set postcommit.broker to kafka or pubsub, or make a publisher of your own @Primary");
      }
      return publisher;
    }
  }

  /** The settings ask for a relay, but there is no publisher. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(Publisher.class)
  @Conditional(Wanted.class)
  static class WithoutPublisher {
    @Bean
    RelayLifecycle postcommitRelay() {
      throw new SetupException(
          "settings ask for a relay (postcommit.relay.enabled, postcommit.broker,"
              + " postcommit.kafka.bootstrap-servers, postcommit.kafka.transactional-id or"
              + " postcommit.pubsub.project), and there is no publisher",
          "add the dependency dev.postcommit:postcommit-kafka and set"
              + " spring.kafka.bootstrap-servers, or add dev.postcommit:postcommit-pubsub and set"
              + " postcommit.pubsub.project, or declare a bean that is a Publisher");
    }
  }

  /** Whether a setting is given that only makes sense with a relay. */
  static final class Wanted extends AnyNestedCondition {
    Wanted() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBooleanProperty("postcommit.relay.enabled")
    static class Enabled {}

    @ConditionalOnProperty("postcommit.broker")
    static class Broker {}

    @ConditionalOnProperty("postcommit.kafka.bootstrap-servers")
    static class Kafka {}

    @ConditionalOnProperty("postcommit.kafka.transactional-id")
    static class KafkaTransactions {}

    @ConditionalOnProperty("postcommit.pubsub.project")
    static class PubSub {}
  }

  /**
   * The layout with the retry policy that is in force.
   *
   * @param layout of the outbox table
   */
  record RelayLayout(Layout layout) {}
}
