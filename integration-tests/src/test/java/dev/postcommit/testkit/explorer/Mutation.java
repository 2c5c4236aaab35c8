package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.explorer.Explorer.Failure;
import dev.postcommit.testkit.explorer.Explorer.Report;
import dev.postcommit.testkit.explorer.outbox.OutboxScenario;
import java.sql.SQLException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A fault that is put into the statements or the tables of a scenario, and that is to be found.
 *
 * @param story the scenario, made anew for each use
 * @param fault what is done to it
 */
record Mutation(
    String name,
    Supplier<OutboxScenario.Builder> story,
    UnaryOperator<OutboxScenario.Builder> fault) {
  private static final long SEED = 1;
  private static final long MOST = 5_000;
  private static final long SOUND = 100;

  /** A fault in statements. */
  static Mutation of(
      String name, Supplier<OutboxScenario.Builder> story, UnaryOperator<String> change) {
    return new Mutation(name, story, builder -> builder.mutation(change));
  }

  /** A fault in tables. */
  static Mutation inTables(String name, Supplier<OutboxScenario.Builder> story, String sql) {
    return new Mutation(name, story, builder -> builder.setUp(sql));
  }

  /** Replaces what a pattern matches. */
  static UnaryOperator<String> replace(String pattern, String by) {
    Pattern compiled = Pattern.compile(pattern);
    return text -> compiled.matcher(text).replaceAll(by);
  }

  /** The same in statements that begin with some words. */
  static UnaryOperator<String> replaceIn(String begin, String pattern, String by) {
    UnaryOperator<String> change = replace(pattern, by);
    return text -> {
      StringBuilder changed = new StringBuilder();
      for (String part : text.split("(?<=;)", -1)) {
        changed.append(part.strip().startsWith(begin) ? change.apply(part) : part);
      }
      return changed.toString();
    };
  }

  /** Has each statement of a transaction commit by itself. */
  static UnaryOperator<String> split() {
    return replace("\\ABEGIN;", "SET postcommit.split = '';")
            .andThen(replace(";\\s+COMMIT\\z", ";\nSET postcommit.split = ''"))
            .andThen(
                replace(
                    "coalesce\\(current_setting\\('postcommit.locked', true\\), ''\\) = 'true'",
                    "true"))
        ::apply;
  }

  /** Finds the fault, and nothing without it; tells after how many schedules. */
  void isFound() throws SQLException {
    try (Explorer explorer = Explorer.of(story.get().build())) {
      explorer.random(SEED, SOUND).requireNone();
    }
    try (Explorer explorer = Explorer.of(fault.apply(story.get()).build())) {
      Report report = explorer.random(SEED, MOST);
      assertThat(report.failure()).as("%s within %d schedules", name, MOST).isPresent();
      Failure failure = report.failure().orElseThrow();
      System.out.printf("mutation | %s | %d | %s%n", name, failure.after(), failure.problem());
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
