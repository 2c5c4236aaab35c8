package dev.postcommit.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Leased;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Lifecycle.PublishedAt;
import dev.postcommit.layout.Lifecycle.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayoutBuilderTest {
  private static final TableName TABLE = TableName.of("legacy.events");
  private static final Status WORDS = new Status("NEW", "SENT", "BROKEN");

  private static LayoutBuilder events() {
    return Layout.adopt(TABLE)
        .column(Role.ID, "id", "uuid")
        .column(Role.TYPE, "kind", "text")
        .column(Role.PAYLOAD, "body", "json")
        .column(Role.CREATED_AT, "at", "timestamptz");
  }

  private static LayoutBuilder withStatus() {
    return events().column(Role.STATUS, "state", "text").lifecycle(WORDS);
  }

  private static void assertRefused(LayoutBuilder builder, String... mistakes) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("legacy.events cannot be adopted as described: ")
        .hasMessageContainingAll(mistakes);
  }

  @Test
  void whatIsNotSaidHasADefault() {
    Layout layout = withStatus().column(Role.AGGREGATE_ID, "entity", "bigint").build();

    assertThat(layout.name()).isEqualTo("adopted");
    assertThat(layout.isPreset()).isFalse();
    assertThat(layout.keepsDelivered()).isTrue();
    assertThat(layout.retryPolicy()).isEqualTo(RetryPolicy.DEFAULT);
    assertThat(layout.column(Role.KEY)).contains(new Column("entity", "bigint"));
  }

  @Test
  void aKeyOfItsOwnGoesBeforeTheAggregateId() {
    Layout layout =
        withStatus()
            .column(Role.AGGREGATE_ID, "entity", "uuid")
            .column(Role.KEY, "shard", "int")
            .build();
    assertThat(layout.sql(Role.KEY)).isEqualTo("\"shard\"");
    assertThat(withStatus().build().column(Role.KEY)).isEmpty();
  }

  @Test
  void typesAreReadAsPostgresReadsThem() {
    Layout layout =
        events()
            .column(Role.STATUS, "state", "Character Varying (10)")
            .column(Role.DELIVERED_AT, "sent", "timestamp(3) without time zone")
            .column(Role.ATTEMPTS, "tries", "INT4")
            .column(Role.AGGREGATE_TYPE, "entity", "legacy.entity_kind")
            .lifecycle(WORDS)
            .build();
    assertThat(layout.required(Role.STATUS).type()).isEqualTo("varchar");
    assertThat(layout.required(Role.DELIVERED_AT).isLocalTime()).isTrue();
    assertThat(layout.required(Role.ATTEMPTS).type()).isEqualTo("int");
    assertThat(layout.required(Role.AGGREGATE_TYPE).type()).isEqualTo("legacy.entity_kind");
  }

  @Test
  void allHeldLifecyclesAndLeasesCanBeAdopted() {
    assertThat(withStatus().build().lifecycle()).isEqualTo(WORDS);
    events()
        .column(Role.DELIVERED_AT, "sent", "timestamp")
        .column(Role.ATTEMPTS, "tries", "int")
        .lifecycle(new PublishedAt())
        .build();
    events().column(Role.PROCESSED, "done", "bool").lifecycle(new ProcessedFlag(true)).build();
    events()
        .column(Role.KEY, "k", "text")
        .column(Role.STATUS, "state", "text")
        .column(Role.DUE_AT, "due", "timestamptz")
        .column(Role.ATTEMPTS, "tries", "int")
        .column(Role.LAST_ERROR, "problem", "text")
        .column(Role.LOCKED_BY, "owner", "text")
        .column(Role.LOCKED_UNTIL, "until", "timestamptz")
        .column(Role.UPDATED_AT, "changed", "timestamptz")
        .lifecycle(new Leased())
        .build();
  }

  @Test
  void tablesOfOurOwnCannotBeAdopted() {
    for (Lifecycle own :
        List.of(
            new Claimed(TABLE.withSuffix("_claim"), OnDelivery.KEEP),
            new Log(TABLE.withSuffix("_cursor")))) {
      assertRefused(
          withStatus().lifecycle(own),
          "its lifecycle cannot be claimed or log, which need a table of our own");
    }
    assertRefused(events(), "it has no lifecycle; choose status, published-at");
  }

  @Test
  void whatIsMissingIsNamedAllAtOnce() {
    assertRefused(
        Layout.adopt(TABLE).lifecycle(new PublishedAt()),
        "there is no column for ID, which the published-at lifecycle needs",
        "there is no column for PAYLOAD",
        "there is no column for DELIVERED_AT",
        "there is no column for ATTEMPTS",
        "there is no column for TYPE or TOPIC",
        "there is no column for SEQ or CREATED_AT");
    assertRefused(
        events().lifecycle(new Leased()), "there is no column for KEY or AGGREGATE_ID, which");
    assertRefused(
        withStatus().column(Role.DEDUPE_KEY, "once", "text"),
        "DEDUPE_KEY is unique per NAMESPACE and TOPIC; name columns for both");
  }

  @Test
  void whatTheLifecycleHasNoUseForIsRefused() {
    assertRefused(
        withStatus().column(Role.PROCESSED, "done", "boolean"),
        "the status lifecycle has no use for PROCESSED; leave column done out");
    assertRefused(
        withStatus().column(Role.LOCKED_BY, "owner", "uuid"),
        "the status lifecycle has no use for LOCKED_BY");
  }

  @Test
  void aTypeThatDoesNotFitItsRoleIsRefused() {
    assertRefused(
        withStatus().column(Role.ATTEMPTS, "tries", "text").column(Role.TENANT, "who", "text"),
        "column tries for ATTEMPTS is text; it must be int or bigint",
        "column who for TENANT is text; it must be uuid");
    assertRefused(
        withStatus().column(Role.TOPIC, "where_to", "legacy.topics"),
        "column where_to for TOPIC is legacy.topics; it must be text or varchar");
    assertRefused(
        withStatus().column(Role.HEADERS, "h", "text[]"), "HEADERS: column h: 'text[]' is not");
    assertRefused(
        withStatus().column(Role.VERSION, "v", "numeric(10, 2)"),
        "column v for VERSION is numeric");
  }

  @Test
  void aColumnPlaysOneRoleUnlessItIsAKey() {
    assertRefused(
        withStatus().column(Role.DUE_AT, "at", "timestamptz"),
        "column at cannot be both CREATED_AT and DUE_AT");
    assertRefused(
        withStatus().column(Role.AGGREGATE_ID, "k", "text").column(Role.KEY, "k", "uuid"),
        "column k is text for AGGREGATE_ID and uuid for KEY; it has one type");
    assertRefused(
        withStatus().column(Role.TYPE, "sort", "text"), "TYPE has two columns, kind and sort");
  }

  @Test
  void namesThatWouldBeMistakenOrDoNotFitAreRefused() {
    assertRefused(withStatus().name("polyshop"), "'polyshop' is the name of a preset");
    assertRefused(withStatus().name(" "), "the layout's name must not be blank");
    LayoutBuilder longName = Layout.adopt(TableName.of("e".repeat(56)));
    assertThatThrownBy(longName::build)
        .hasMessageContaining("has 56 characters")
        .hasMessageContaining("at most 55");
  }

  @Test
  void headersAreKeptInAColumnOrBesideATableWhoseRowsAreLocked() {
    assertThat(Layout.nativeTable().keepsHeaders()).isTrue();
    assertThat(Layout.preset("polyshop").keepsHeaders()).isTrue();
    assertThat(Layout.preset("modkit").keepsHeaders()).isFalse();
  }
}
