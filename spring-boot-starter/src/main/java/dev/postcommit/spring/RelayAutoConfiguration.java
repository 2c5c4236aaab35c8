package dev.postcommit.spring;

import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.relay.Router;
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
@ConditionalOnBean(TransactionalOutbox.class)
@ConditionalOnBooleanProperty(name = "postcommit.relay.enabled", matchIfMissing = true)
class RelayAutoConfiguration {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(Publisher.class)
  static class WithPublisher {

    /** Says whose the table is in the eyes of its relay: a policy of the application goes first. */
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
        PostcommitSettings settings,
        Given given,
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
      RelaySettings.checkTransactions(settings, table.layout(), beans);
      RelaySettings.checkLease(settings, publisher);
      Messages messages = new Messages(settings, table.layout(), given);
      Function<RelayStatus, Relay> relays =
          status -> {
            Relay.Builder relay =
                Relay.builder(dataSource.dataSource(), publisher)
                    .layout(table.layout())
                    .maxPayloadBytes(outbox.maxPayloadBytes());
            messages.apply(relay, envelopes, routers, checks);
            RelaySettings.apply(settings, table.layout(), given, relay);
            listeners.orderedStream().forEach(relay::listener);
            return built(relay.listener(status));
          };
      // What is wrong with the settings is to be known before anything starts.
      Relay unused = relays.apply(new RelayStatus());
      return new RelayLifecycle(
          relays,
          table.layout(),
          wakeUp,
          RelaySettings.retention(settings) != null,
          settings.waitForStandbys() > 0);
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

    private static Relay built(Relay.Builder relay) {
      try {
        return relay.build();
      } catch (IllegalArgumentException e) {
        throw new SetupException(
            String.valueOf(e.getMessage()), "change the settings that begin with postcommit.");
      }
    }
  }

  /** Somebody asks for a relay, and there is no publisher for it. */
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

  /** Whether a setting makes sense with a relay only. */
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
