package dev.postcommit.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.server.CapturedTerminal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.SoftAssertions;

/**
 * A wrong setting.
 *
 * @param what what is wrong
 * @param environment the variables of a command
 * @param parts what the command then says
 */
record WrongSetting(String what, Map<String, String> environment, List<String> parts) {
  private static final int MOST_RUNS = 4;

  WrongSetting(String what, Map<String, String> environment, String... parts) {
    this(what, environment, List.of(parts));
  }

  /** Runs {@code status} for all at once, as some take the time of a timeout. */
  static void assertAll(List<WrongSetting> cases, boolean fails) {
    ExecutorService threads = Executors.newFixedThreadPool(cases.size());
    try {
      Map<WrongSetting, CompletableFuture<String>> outputs = new HashMap<>();
      for (WrongSetting each : cases) {
        outputs.put(each, CompletableFuture.supplyAsync(() -> status(each, fails), threads));
      }
      SoftAssertions.assertSoftly(
          all ->
              cases.forEach(
                  each ->
                      all.assertThat(outputs.get(each).join())
                          .as(each.what())
                          .contains(each.parts().toArray(String[]::new))
                          .doesNotContain(SecureServers.PASSWORD)));
    } finally {
      threads.shutdownNow();
    }
  }

  /** On a busy machine, a server may take longer to refuse than a command waits for it. */
  private static String status(WrongSetting each, boolean fails) {
    String said = "";
    for (int run = 0; run < MOST_RUNS && !each.parts().stream().allMatch(said::contains); run++) {
      CapturedTerminal terminal = CapturedTerminal.withEnvironment(each.environment());
      int code = terminal.run("status");
      assertThat(code).as(each.what() + ": " + terminal.err()).isEqualTo(fails ? 1 : 0);
      said =
          fails
              ? terminal.err()
              : terminal.outLines().stream()
                  .filter(line -> line.contains("broker"))
                  .findFirst()
                  .orElseThrow();
    }
    return said;
  }
}
