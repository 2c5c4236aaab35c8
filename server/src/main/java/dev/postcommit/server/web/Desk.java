package dev.postcommit.server.web;

import dev.postcommit.PostcommitException;
import dev.postcommit.server.Json;
import dev.postcommit.server.Relays;
import dev.postcommit.server.RunningRelay;
import dev.postcommit.server.Texts;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Answers requests about one relay, and writes down those that changed something. */
final class Desk {
  private static final Logger log = LoggerFactory.getLogger(Desk.class);

  private static final int LONGEST_NAME = 60;

  private final Relays relays;

  Desk(Relays relays) {
    this.relays = relays;
  }

  /**
   * Answers with a document.
   *
   * @throws Refusal if there is no such relay, or its database cannot be used
   */
  ResponseEntity<byte[]> answer(String name, Function<RunningRelay, Json.Fields> work) {
    RunningRelay relay = relays.find(name).orElseThrow(() -> unknown(name));
    try {
      return document(work.apply(relay));
    } catch (PostcommitException e) {
      throw relay
          .explain(e)
          .<RuntimeException>map(why -> new Refusal(HttpStatus.SERVICE_UNAVAILABLE, why))
          .orElse(e);
    }
  }

  static ResponseEntity<byte[]> document(Json.Fields fields) {
    return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(Json.bytes(fields));
  }

  /** Tells the log who did what to how many. */
  static void changed(RunningRelay relay, String operator, String done, long count, String noun) {
    changed(relay, operator, "%s %d %s%s".formatted(done, count, noun, count == 1 ? "" : "s"));
  }

  /** Tells the log who did what. */
  static void changed(RunningRelay relay, String operator, String what) {
    log.info("operator {} {}, relay {}", Texts.cell(operator, LONGEST_NAME), what, relay.name());
  }

  private Refusal unknown(String name) {
    String names = relays.all().stream().map(RunningRelay::name).collect(Collectors.joining(", "));
    return new Refusal(
        HttpStatus.NOT_FOUND,
        "there is no relay '%s' in this process; there is %s".formatted(name, names));
  }
}
