package dev.postcommit.demo.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.demo.orders.OrderGenerator.Draft;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OrderGeneratorTest {
  private final OrderGenerator generator =
      new OrderGenerator("order", List.of(Order.Poison.values()), new Random(1));

  private List<Draft> commit(int transactions) {
    List<Draft> drafts = new ArrayList<>();
    for (int i = 0; i < transactions; i++) {
      Draft draft = generator.draft(100);
      generator.committed(draft);
      drafts.add(draft);
    }
    return drafts;
  }

  @Test
  void everyOrderGoesThroughItsStepsInOrder() {
    Map<String, Order.Step> last = new HashMap<>();
    for (Draft draft : commit(2000)) {
      for (Order order : draft.moved()) {
        Order.Step before = last.getOrDefault(order.id(), Order.Step.NEW);
        assertThat(order.step()).isEqualTo(before.next());
        last.put(order.id(), order.step());
      }
    }
    assertThat(last).hasSizeGreaterThan(100).containsValue(Order.Step.DELIVERED);
  }

  @Test
  void whatIsNotCommittedIsForgotten() {
    Set<String> dedupeKeys = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      Draft draft = generator.draft(100);
      if (i % 3 != 0) {
        generator.committed(draft);
        draft.events().stream()
            .map(Event::dedupeKey)
            .filter(key -> key != null)
            .forEach(key -> assertThat(dedupeKeys.add(key)).as(key).isTrue());
      }
    }
  }

  @Test
  void aFewInAThousandArePoisonous() {
    int events = 0;
    int poisonous = 0;
    for (Draft draft : commit(2000)) {
      events += draft.events().size();
      poisonous += draft.poisonous().size();
    }
    assertThat(poisonous * 1000 / events).isBetween(2, 8);
  }

  @Test
  void aRepeatedEventNamesTheOneThatWasThereFirst() {
    Map<String, UUID> first = new HashMap<>();
    int repeated = 0;
    for (Draft draft : commit(1000)) {
      if (draft.repeated() != null) {
        repeated++;
        Event event = draft.repeated().event();
        assertThat(first.get(event.dedupeKey())).isEqualTo(draft.repeated().firstId());
        assertThat(event.id()).isNotEqualTo(draft.repeated().firstId());
      }
      draft.events().forEach(event -> first.put(event.dedupeKey(), event.id()));
    }
    assertThat(repeated).isPositive();
  }

  @Test
  void thereIsNoMoreThanRoomFor() {
    for (int i = 0; i < 100; i++) {
      assertThat(generator.draft(1).events()).hasSize(1);
    }
  }

  @Test
  void ordinaryPayloadsAreAFewHundredBytes() {
    for (Draft draft : commit(100)) {
      for (Event event : draft.events()) {
        if (!draft.poisonous().contains(event.id())) {
          assertThat(event.payload().size()).isBetween(200, 400);
        }
      }
    }
  }
}
