package dev.postcommit.server.http;

import dev.postcommit.PostcommitException;
import dev.postcommit.server.relay.Relays;
import dev.postcommit.server.relay.RunningRelay;
import dev.postcommit.server.table.JsonObject;
import dev.postcommit.server.table.Texts;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Answers requests about one relay, and logs those that changed something. */
final class AdminResponses {
  private static final Logger log = LoggerFactory.getLogger(AdminResponses.class);

  private static final int LONGEST_NAME = 60;

  private final Relays relays;

  AdminResponses(Relays relays) {
    this.relays = relays;
  }

  /**
   * Answers with a document.
   *
   * @throws RequestException if there is no such relay, or its database cannot be used
   */
  ResponseEntity<byte[]> answer(String name, Function<RunningRelay, JsonObject> work) {
    RunningRelay relay = relays.find(name).orElseThrow(() -> unknown(name));
    try {
      return document(work.apply(relay));
    } catch (PostcommitException e) {
      throw relay
          .explain(e)
          .<RuntimeException>map(why -> new RequestException(HttpStatus.SERVICE_UNAVAILABLE, why))
          .orElse(e);
    }
  }

  static ResponseEntity<byte[]> document(JsonObject document) {
    return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(document.bytes());
  }

  /** Logs who did what to how many. */
  static void changed(RunningRelay relay, String operator, String done, long count, String noun) {
    changed(relay, operator, "%s %d %s%s".formatted(done, count, noun, count == 1 ? "" : "s"));
  }

  /** Logs who did what. */
  static void changed(RunningRelay relay, String operator, String what) {
    log.info("operator {} {}, relay {}", Texts.cell(operator, LONGEST_NAME), what, relay.name());
  }

  private RequestException unknown(String name) {
    String names = relays.all().stream().map(RunningRelay::name).collect(Collectors.joining(", "));
    return new RequestException(
        HttpStatus.NOT_FOUND,
        "there is no relay '%s' in this process; there is %s".formatted(name, names));
  }
}
