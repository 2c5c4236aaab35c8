package dev.postcommit.spring.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.settings.SettingException;
import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.settings.SetupException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Event handlers that cannot be meant keep the application from starting, and say why. */
class HandlersRefusedTest {
  private final ApplicationContextRunner application =
      Contexts.withoutDatabase()
          .withBean(
              PlatformTransactionManager.class,
              () -> new JdbcTransactionManager(Contexts.nowhere()))
          .withPropertyValues(
              "spring.application.name=stock",
              "spring.kafka.bootstrap-servers=localhost:1",
              "postcommit.relay.enabled=false",
              "postcommit.consumer.topics=orders");

  private static void refused(ApplicationContextRunner application, String... texts) {
    application.run(
        context ->
            assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                .isInstanceOfAny(SetupException.class, SettingException.class)
                .hasMessageContainingAll(texts));
  }

  record Order(int id) {}

  static class Fine {
    @EventHandler("order.placed")
    void place(Order order) {}
  }

  static class Second {
    @EventHandler("order.placed")
    void also(Order order) {}
  }

  @Test
  void twoHandlersOfOneType() {
    refused(
        application.withBean("fine", Fine.class).withBean("second", Second.class),
        "Second.also of bean 'second' is for events of type order.placed, and so is Fine.place of"
            + " bean 'fine'");
  }

  static class Private {
    @EventHandler("order.placed")
    @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // refused
    private void place(Order order) {}
  }

  static class Empty {
    @EventHandler(" ")
    void place(Order order) {}
  }

  static class NoParameters {
    @EventHandler("order.placed")
    void place() {}
  }

  static class OnlyContext {
    @EventHandler("order.placed")
    void place(EventContext context) {}
  }

  static class TwoEvents {
    @EventHandler("order.placed")
    void place(Order order, ReceivedEvent<Order> event) {}
  }

  static class Generic {
    @EventHandler("order.placed")
    void place(List<Order> orders) {}
  }

  static class Unbound<T> {
    @EventHandler("order.placed")
    void place(T order) {}
  }

  static class Returning {
    @EventHandler("order.placed")
    String place(Order order) {
      return "";
    }
  }

  static class Asynchronous {
    @Async
    @EventHandler("order.placed")
    void place(Order order) {}
  }

  static class Apart {
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    @EventHandler("order.placed")
    void place(Order order) {}
  }

  @Test
  void methodsThatCannotHandleEvents() {
    refused(application.withBean(Private.class), "Private.place", "is private or static");
    refused(application.withBean(Empty.class), "Empty.place", "names no type of events");
    refused(application.withBean(NoParameters.class), "takes 0 parameters", "EventContext");
    refused(application.withBean(OnlyContext.class), "takes 1 parameters");
    refused(application.withBean(TwoEvents.class), "takes 2 parameters");
    refused(application.withBean(Generic.class), "List<", "not a simple class");
    refused(application.withBean(Unbound.class), "not a simple class");
    refused(application.withBean(Returning.class), "returns a value");
    refused(application.withBean(Asynchronous.class), "is @Async");
    refused(application.withBean(Apart.class), "has the propagation REQUIRES_NEW");
  }

  /** Makes proxies for transactions. */
  @EnableTransactionManagement
  static class Proxies {}

  /** What a JDK proxy shows. */
  interface Shown {
    void shown();
  }

  @Transactional
  static class Hidden implements Shown {
    @Override
    public void shown() {}

    @EventHandler("order.placed")
    public void place(Order order) {}
  }

  @Transactional
  static class Final {
    @EventHandler("order.placed")
    final void place(Order order) {}
  }

  @Test
  void methodsThatAProxyHides() {
    ApplicationContextRunner proxied = application.withUserConfiguration(Proxies.class);
    refused(proxied.withBean(Hidden.class), "JDK proxy", "spring.aop.proxy-target-class=true");
    refused(proxied.withBean(Final.class), "Final.place", "is final");
  }

  @Test
  void aHandlerOfABeanThatIsNotASingleton() {
    refused(
        application.withBean(
            "each",
            Fine.class,
            Fine::new,
            definition -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE)),
        "bean 'each' is in a bean that is not a singleton");
  }

  @Test
  void settingsWithoutHandlersAndHandlersWithoutSettings() {
    refused(application, "postcommit.consumer.topics", "no bean has an event handler");
    refused(
        application.withBean(Fine.class).withPropertyValues("postcommit.consumer.topics="),
        "Fine.place",
        "is never called",
        "set postcommit.consumer.topics; an event's topic is its type (order.placed)");
    application
        .withBean(Fine.class)
        .withPropertyValues("postcommit.consumer.topics=", "postcommit.consumer.enabled=false")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void aConsumerWithoutNameOrBroker() {
    refused(
        application.withBean(Fine.class).withPropertyValues("spring.application.name="),
        "set spring.application.name, or postcommit.consumer.group");
    refused(
        application.withBean(Fine.class).withPropertyValues("spring.kafka.bootstrap-servers="),
        "it is unclear from where");
  }

  @Test
  void aSecondConsumerOfTheSameName() {
    refused(
        application
            .withBean(Fine.class)
            .withBean(
                "own",
                EventConsumer.class,
                () ->
                    EventConsumer.builder("stock")
                        .inbox(Inbox.none())
                        .on("a", String.class, event -> {})
                        .build()),
        "the consumer 'own' have the same name, stock",
        "postcommit.consumer.inbox-table");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "threads=0 | postcommit.consumer.threads: '0' is not",
        "order=keys | postcommit.consumer.order: 'keys' is not one of partition, key",
        "unknown-types=no | postcommit.consumer.unknown-types: 'no' is not one of ignore, dead-letter, fail",
        "inbox=postgre | did you mean postgres?",
        "inbox-table=a b | is not a table name",
        "topic=a | unknown setting postcommit.consumer.topic; did you mean",
        "inbox=redis;postcommit.consumer.inbox-table=a | the inbox is in Redis, which has no tables",
        "inbox=redis | it is unclear where Redis is",
        "topics=a,,b | has a name that is blank"
      })
  void settingsThatCannotBeMeant(String given, String text) {
    refused(
        application
            .withBean(Fine.class)
            .withPropertyValues(("postcommit.consumer." + given).split(";")),
        text);
  }
}
