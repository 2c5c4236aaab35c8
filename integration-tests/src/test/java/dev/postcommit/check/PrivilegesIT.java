package dev.postcommit.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.PostcommitException;
import dev.postcommit.fixture.AdoptedSample;
import dev.postcommit.fixture.RestrictedUsers;
import dev.postcommit.fixture.TableShape;
import dev.postcommit.internal.Identifiers;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.Grants;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The GRANTs that are printed are what the check at the start asks for, and enough for all. */
class PrivilegesIT {
  private static final Pattern GRANT = Pattern.compile("GRANT (.*) ON (.*) TO (\\S+)");

  /** A right, or one on a column. */
  private static final Pattern RIGHT = Pattern.compile("([A-Z]+)(?: \\(([^)]*)\\))?");

  private static final List<LayoutSample> SAMPLES =
      List.of(
          new LayoutSample(
              Layout.nativeTable(TableName.of("Shop.Our_Outbox")),
              Samples.NATIVE.event(),
              Samples.NATIVE.tenantEvent()),
          Samples.LOG,
          Samples.MODKIT,
          Samples.MODKIT_DELETING,
          Samples.LOGISTIK,
          Samples.PACKFINDERZ,
          Samples.POLYSHOP,
          Samples.POLYSHOP_DELETING,
          new LayoutSample(
              AdoptedSample.LAYOUT, Samples.NATIVE.event(), Samples.NATIVE.tenantEvent()));

  @Test
  @DisplayName("R8: what is granted is all that is asked for, and each part of it is asked for")
  void eachPrivilegeIsAskedFor() throws SQLException {
    for (LayoutSample sample : SAMPLES) {
      try (RestrictedUsers users = new RestrictedUsers(sample)) {
        Layout layout = users.layout();
        eachIsAskedFor(
            users,
            Grants.writer(layout, users.writer()),
            check -> check.outbox().stream().filter(p -> p.startsWith("user ")).toList());
        eachIsAskedFor(
            users,
            Grants.relay(layout, true, users.relay()),
            check ->
                Stream.of(check.relay(), check.pruning(), check.presence())
                    .flatMap(List::stream)
                    .toList());
        eachIsAskedFor(users, Grants.operator(layout, users.operator()), LayoutCheck::admin);
      }
    }
  }

  private static void eachIsAskedFor(
      RestrictedUsers users, List<String> grants, Function<LayoutCheck, List<String>> problems)
      throws SQLException {
    List<String> revoked = new ArrayList<>();
    for (String grant : grants) {
      Matcher matcher = GRANT.matcher(grant);
      assertThat(matcher.matches()).as(grant).isTrue();
      String user = matcher.group(3);
      Matcher rights = RIGHT.matcher(matcher.group(1));
      while (rights.find()) {
        for (String column :
            rights.group(2) == null ? "".split(",") : rights.group(2).split(", ")) {
          String right = rights.group(1) + (column.isEmpty() ? "" : " (" + column + ")");
          String lost = right + " ON " + matcher.group(2);
          users.execute("REVOKE %s FROM %s".formatted(lost, user));
          revoked.add(lost);

          List<String> found = problems.apply(users.check(user));
          String again = "GRANT %s TO %s".formatted(lost, user);
          assertThat(found)
              .as(lost)
              .isNotEmpty()
              .allMatch(problem -> problem.endsWith("; " + again));
          users.execute(again);
        }
      }
    }
    assertThat(revoked).hasSizeGreaterThanOrEqualTo(grants.size());
    String user = grants.get(0).replaceFirst(".* TO ", "");
    assertThat(problems.apply(users.check(user))).isEmpty();
  }

  @Test
  @DisplayName("R1, R8: with what is granted and no more, writers, relays and operators do all")
  void whatIsGrantedIsEnough() throws InterruptedException, ExecutionException {
    List<Callable<String>> works =
        SAMPLES.stream()
            .<Callable<String>>map(
                sample ->
                    () -> {
                      try (RestrictedUsers users = new RestrictedUsers(sample)) {
                        new RestrictedWork(users).doAll();
                        return sample.layout().name();
                      }
                    })
            .toList();
    ExecutorService threads = Executors.newFixedThreadPool(works.size());
    try {
      for (Future<String> work : threads.invokeAll(works)) {
        assertThat(work.get()).isNotEmpty();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @DisplayName("R46: who may not prune is told what to grant, and that is enough")
  void whoMayNotPruneIsToldWhatToGrant() throws SQLException {
    for (LayoutSample sample : SAMPLES) {
      try (RestrictedUsers users = new RestrictedUsers(sample)) {
        Layout layout = users.layout();
        if (!layout.keepsDelivered()) {
          continue;
        }
        String schema = layout.table().schema() == null ? "public" : layout.table().schema();
        users.execute(
            "REVOKE ALL ON ALL TABLES IN SCHEMA %s FROM %s"
                .formatted(Identifiers.quoted(schema), users.relay()));
        OutboxAdmin admin = OutboxAdmin.of(users.login(users.relay()), layout);
        String[] grants =
            Stream.of(denied(admin).split("; "))
                .filter(part -> part.startsWith("GRANT"))
                .toArray(String[]::new);
        assertThat(grants).as(layout.name()).anyMatch(grant -> grant.contains("DELETE ON "));

        users.execute(grants);
        assertThat(admin.prune(Duration.ZERO, 10)).as(layout.name()).isZero();
      }
    }
  }

  private static String denied(OutboxAdmin admin) {
    try {
      admin.prune(Duration.ZERO, 10);
    } catch (PostcommitException e) {
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("nothing was denied");
  }

  @Test
  @DisplayName("a relay without retention needs no DELETE on a table whose rows are kept")
  void pruningAloneNeedsDelete() {
    assertThat(Grants.relay(Layout.preset("packfinderz"), false, "relay"))
        .first()
        .isEqualTo(
            "GRANT SELECT, UPDATE (attempt_count, last_error, published_at) ON outbox_events TO"
                + " relay");
    assertThat(Grants.relay(Layout.preset("packfinderz"), true, "relay"))
        .first()
        .isEqualTo(
            "GRANT SELECT, UPDATE (attempt_count, last_error, published_at), DELETE ON"
                + " outbox_events TO relay");
  }

  @Test
  @DisplayName("names in GRANTs are quoted where Postgres would not take them otherwise")
  void namesAreQuotedWhereTheyMustBe() throws SQLException {
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      assertThat(
              TableShape.list(
                  database.dataSource(),
                  "SELECT word FROM pg_get_keywords() WHERE catcode IN ('R', 'T')"))
          .isNotEmpty()
          .allMatch(word -> Identifiers.quoted(word).equals('"' + word + '"'));
    }
    assertThat(Identifiers.quoted("relay_1")).isEqualTo("relay_1");
    assertThat(Identifiers.quoted("Ada\"s")).isEqualTo("\"Ada\"\"s\"");
  }
}
