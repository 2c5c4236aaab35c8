package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.envelope.Samples;
import dev.postcommit.store.StoredEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RouterTest {
  private static final StoredEvent EVENT = Samples.full("{}", Map.of());
  private static final StoredEvent BARE = Samples.bare("{}");

  @Test
  @DisplayName("R27: one topic for all, or a topic per type")
  void oneTopicForAllOrATopicPerType() {
    assertThat(Router.fixed("pf-domain-events").topic(EVENT)).isEqualTo("pf-domain-events");
    assertThat(Router.type().topic(EVENT)).isEqualTo("order.order.placed.v1");
    assertThat(Router.recorded().topic(EVENT)).isEqualTo("invoice.sent");
  }

  @Test
  void namespacedTopicsBeginWithTheNamespaceUnlessItIsTheDefault() {
    assertThat(Router.namespaced(".").topic(EVENT)).isEqualTo("billing.invoice.sent");
    assertThat(Router.namespaced("--").topic(EVENT)).isEqualTo("billing--invoice.sent");
    assertThat(Router.namespaced(".").topic(BARE)).isEqualTo("order.placed");
  }

  @Test
  void templatesTakeTheEventsFields() {
    assertThat(Router.template("{namespace}.{aggregate_type}.{type}.v{version}").topic(EVENT))
        .isEqualTo("billing.order.order.order.placed.v1.v2");
    assertThat(Router.template("{tenant}{topic}-x").topic(EVENT))
        .isEqualTo("0197a1b2-0000-7000-8000-00000000000ainvoice.sent-x");
    assertThat(Router.template("plain").topic(EVENT)).isEqualTo("plain");
    assertThat(Router.template("{namespace}.{topic}").topic(BARE))
        .isEqualTo("default.order.placed");
  }

  @Test
  void anEventWithoutAFieldOfTheTemplateIsRejected() {
    for (String name : List.of("tenant", "aggregate_type")) {
      assertThatThrownBy(() -> Router.template("x.{" + name + "}").topic(BARE))
          .isInstanceOf(PostcommitException.class)
          .hasMessage(
              "the topic template 'x.{%s}' needs {%s}, which the event does not have", name, name);
    }
  }

  @Test
  void anUnknownPlaceholderIsRefusedWithThoseThereAre() {
    for (String template : List.of("{tpye}", "a{}", "{ type }", "{type}.{aggregate_id}")) {
      assertThatThrownBy(() -> Router.template(template))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + template + "' has the unknown placeholder {")
          .hasMessageEndingWith(
              "there are {namespace}, {topic}, {type}, {aggregate_type}, {tenant}, {version}");
    }
  }

  @Test
  void bracesWithoutPartnersAreRefused() {
    for (String template : List.of("{", "}", "a{type", "type}", "{ty{pe}", "}{", "{type}}")) {
      assertThatThrownBy(() -> Router.template(template))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a brace without its partner");
    }
  }

  @Test
  void blankNamesAreRefused() {
    assertThatThrownBy(() -> Router.fixed(" ")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Router.namespaced("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Router.template("\t")).isInstanceOf(IllegalArgumentException.class);
  }
}
