package dev.postcommit.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.EventType;
import dev.postcommit.NoTransactionException;
import dev.postcommit.Payload;
import dev.postcommit.PayloadSerializer;
import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.spring.test.RecordingOutbox;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Which mapper serialises objects, and which outbox published objects go to. */
class PayloadsTest {
  private final ApplicationContextRunner runner = Contexts.withoutDatabase();

  @EventType("order.placed")
  record Placed(int orderId) {}

  private static JsonMapper snakeCase() {
    return JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
  }

  private static String json(PayloadSerializer serializer) {
    return new String(serializer.serialize(new Placed(1)).bytes(), UTF_8);
  }

  @Test
  void theMapperIsTheApplicationsOrJacksonsDefault() {
    runner.run(
        context ->
            assertThat(json(context.getBean(PayloadSerializer.class)))
                .isEqualTo("{\"orderId\":1}"));
    runner
        .withBean("mapper", JsonMapper.class, PayloadsTest::snakeCase)
        .run(
            context ->
                assertThat(json(context.getBean(PayloadSerializer.class)))
                    .isEqualTo("{\"order_id\":1}"));
  }

  @Test
  void ofSeveralMappersThePrimaryOneIsTaken() {
    ApplicationContextRunner two =
        runner
            .withBean("ours", JsonMapper.class, PayloadsTest::snakeCase)
            .withBean("theirs", JsonMapper.class, () -> JsonMapper.builder().build());
    two.run(
        context ->
            assertThatThrownBy(() -> json(context.getBean(PayloadSerializer.class)))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("several beans of type JsonMapper (ours, theirs)")
                .hasMessageContaining("mark the one for events as @Primary"));
    two.withBean("own", PayloadSerializer.class, () -> object -> Payload.json("7"))
        .run(context -> assertThat(json(context.getBean(PayloadSerializer.class))).isEqualTo("7"));
    runner
        .withBean("ours", JsonMapper.class, PayloadsTest::snakeCase, bean -> bean.setPrimary(true))
        .withBean("theirs", JsonMapper.class, () -> JsonMapper.builder().build())
        .run(
            context ->
                assertThat(json(context.getBean(PayloadSerializer.class)))
                    .isEqualTo("{\"order_id\":1}"));
  }

  @Test
  void theMapperMayBeTheParents() {
    new ApplicationContextRunner()
        .withBean("mapper", JsonMapper.class, PayloadsTest::snakeCase)
        .run(
            parent ->
                runner
                    .withParent(parent)
                    .run(
                        context ->
                            assertThat(json(context.getBean(PayloadSerializer.class)))
                                .isEqualTo("{\"order_id\":1}")));
  }

  @Test
  void objectsNeedNoSupportForJacksonInSpringBoot() {
    runner
        .withClassLoader(new FilteredClassLoader("org.springframework.boot.jackson"))
        .run(
            context ->
                assertThat(json(context.getBean(PayloadSerializer.class)))
                    .isEqualTo("{\"orderId\":1}"));
  }

  @Test
  void aMulticasterOfOtherThreadsDoesNotTakeThePublishersTransaction() {
    runner
        .withBean(
            AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
            SimpleApplicationEventMulticaster.class,
            () -> {
              SimpleApplicationEventMulticaster multicaster =
                  new SimpleApplicationEventMulticaster();
              multicaster.setTaskExecutor(new SimpleAsyncTaskExecutor());
              return multicaster;
            })
        .run(
            context ->
                assertThatThrownBy(() -> context.publishEvent(new Placed(1)))
                    .isInstanceOf(NoTransactionException.class));
  }

  @Test
  void whatIsPublishedNeedsOneOutbox() {
    Contexts.plain()
        .run(
            context ->
                assertThatThrownBy(() -> context.publishEvent(new Placed(1)))
                    .isInstanceOf(PostcommitException.class)
                    .hasMessageContaining("$Placed was published and has @EventType")
                    .hasMessageContaining("there is no outbox"));
    ApplicationContextRunner one =
        Contexts.plain().withBean("one", SpringOutbox.class, PayloadsTest::recording);
    one.withBean("two", SpringOutbox.class, PayloadsTest::recording)
        .run(
            context ->
                assertThatThrownBy(() -> context.publishEvent(new Placed(1)))
                    .isInstanceOf(PostcommitException.class)
                    .hasMessageContaining("several and none is primary"));
    one.withBean("two", SpringOutbox.class, PayloadsTest::recording, bean -> bean.setPrimary(true))
        .run(
            context ->
                assertThatThrownBy(() -> context.publishEvent(new Placed(1)))
                    .isInstanceOf(NoTransactionException.class));
  }

  @Test
  void whatAChildContextPublishesIsEnqueuedOnce() {
    List<Event> enqueued = new ArrayList<>();
    SpringOutbox outbox =
        new SpringOutbox() {
          @Override
          public Enqueued enqueue(Event event) {
            enqueued.add(event);
            return new Enqueued.Written(event.id());
          }

          @Override
          public List<Enqueued> enqueueAll(List<Event> events) {
            return events.stream().map(this::enqueue).toList();
          }
        };
    Contexts.plain()
        .withBean("outbox", SpringOutbox.class, () -> outbox)
        .run(
            parent ->
                Contexts.plain()
                    .withParent(parent)
                    .run(child -> child.publishEvent(new Placed(1))));

    assertThat(enqueued).hasSize(1);
  }

  private static SpringOutbox recording() {
    return new RecordingOutbox(Layout.nativeTable(), null);
  }
}
