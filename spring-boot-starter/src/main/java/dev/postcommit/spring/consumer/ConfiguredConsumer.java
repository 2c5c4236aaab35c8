package dev.postcommit.spring.consumer;

import dev.postcommit.InvalidPayloadException;
import dev.postcommit.PayloadDeserializer;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.UnknownTypes;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.spi.BrokerConsumer;
import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.settings.ConsumerSettings.InboxName;
import dev.postcommit.spring.OutboxDataSource;
import dev.postcommit.spring.consumer.HandlerScan.Marked;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.spring.settings.SpringSettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;

/** Builds the consumer that settings, event handlers and other beans describe. */
final class ConfiguredConsumer implements Supplier<EventConsumer> {
  private final SpringSettings settings;
  private final ConfigurableListableBeanFactory beans;
  private final ConsumerGroup group;
  private final ConsumerStatus status;

  ConfiguredConsumer(
      SpringSettings settings,
      ConfigurableListableBeanFactory beans,
      ConsumerGroup group,
      ConsumerStatus status) {
    this.settings = settings;
    this.beans = beans;
    this.group = group;
    this.status = status;
  }

  @Override
  public EventConsumer get() {
    checkOthers();
    boolean inPostgres = settings.get(ConsumerSettings.INBOX) == InboxName.POSTGRES;
    List<Marked> marked = marked();
    Map<String, HandlerMethod> handlers;
    Inbox inbox;
    if (inPostgres) {
      DataSource dataSource = dataSource();
      PlatformTransactionManager manager = InboxManager.of(beans, dataSource);
      handlers = HandlerMethods.of(marked, beans, new HandlerTransactions(manager, beans));
      inbox = PostgresInbox.of(settings, dataSource, manager, group);
    } else {
      handlers = HandlerMethods.of(marked, beans, null);
      inbox = inRedis();
    }
    PayloadDeserializer payloads = payloads(handlers);
    EventConsumer.Builder consumer =
        EventConsumer.builder(group.name())
            .inbox(inbox)
            .listener(status)
            .unknownTypes(unknownTypes())
            .permanentError(InvalidPayloadException.class);
    handlers.forEach(
        (type, handler) ->
            consumer.on(type, byte[].class, event -> handler.handle(event, payloads)));
    beans
        .getBeanProvider(EventConsumerCustomizer.class)
        .orderedStream()
        .forEach(customizer -> customizer.customize(consumer));
    return consumer.build();
  }

  private List<Marked> marked() {
    List<Marked> marked = HandlerScan.scan(beans);
    if (marked.isEmpty()) {
      throw new SetupException(
          "settings say what to consume (%s or %s), and no bean has an event handler"
              .formatted(
                  ConsumerSettings.TOPICS.property(), ConsumerSettings.SUBSCRIPTIONS.property()),
          "mark a method of a bean with @EventHandler(\"order.placed\"), or leave them out");
    }
    return marked;
  }

  private DataSource dataSource() {
    if (beans.getBeanProvider(DataSource.class).stream().findAny().isEmpty()) {
      throw new SetupException(
          "the inbox of the event handlers is in Postgres, and there is no data source",
          "set spring.datasource.url, or postcommit.consumer.inbox=redis");
    }
    return OutboxDataSource.of(settings, beans).dataSource();
  }

  private Inbox inRedis() {
    settings.refuse(
        ConsumerSettings.INBOX_TABLE,
        "the inbox is in Redis, which has no tables",
        ConsumerSettings.INBOX,
        "postgres");
    return RedisInbox.of(beans);
  }

  private UnknownTypes unknownTypes() {
    String word = settings.get(ConsumerSettings.UNKNOWN_TYPES);
    return UnknownTypes.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private PayloadDeserializer payloads(Map<String, HandlerMethod> handlers) {
    Optional<HandlerMethod> needing =
        handlers.values().stream().filter(HandlerMethod::needsObjects).findFirst();
    return needing.isPresent() ? payloads(needing.get()) : new NoObjects();
  }

  private PayloadDeserializer payloads(HandlerMethod handler) {
    @Nullable PayloadDeserializer payloads =
        beans.getBeanProvider(PayloadDeserializer.class).getIfUnique();
    if (payloads != null) {
      return payloads;
    }
    String[] names =
        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, PayloadDeserializer.class);
    if (names.length > 0) {
      throw HandlerScan.refused(
          handler.marked(),
          "takes an object, and there are several beans of type PayloadDeserializer (%s), and none"
                  .formatted(String.join(", ", names))
              + " is primary",
          "mark one as @Primary");
    }
    throw HandlerScan.refused(
        handler.marked(),
        "takes an object, and nothing reads objects",
        "add the dependency dev.postcommit:postcommit-jackson, or let it take a String");
  }

  /** With one name, each of two consumers would take events of the other for duplicates. */
  private void checkOthers() {
    for (String bean : beans.getBeanNamesForType(EventConsumer.class)) {
      refuse(bean, beans.getBean(bean, EventConsumer.class).name());
    }
    for (String bean : beans.getBeanNamesForType(BrokerConsumer.class)) {
      refuse(bean, beans.getBean(bean, BrokerConsumer.class).name());
    }
  }

  private void refuse(String bean, String name) {
    if (name.equals(group.name())) {
      throw new SetupException(
          "the event handlers and the consumer '%s' have the same name, %s, so each would take"
                  .formatted(bean, name)
              + " events that the other has handled for duplicates",
          "give one of them another name (%s), and a table of its own (%s)"
              .formatted(
                  ConsumerSettings.GROUP.property(), ConsumerSettings.INBOX_TABLE.property()));
    }
  }

  /** For handlers that take data as it was written. */
  private static final class NoObjects implements PayloadDeserializer {
    @Override
    public <T> T deserialize(byte[] payload, Class<T> type) {
      throw new InvalidPayloadException("there is nothing that reads objects of " + type.getName());
    }
  }
}
