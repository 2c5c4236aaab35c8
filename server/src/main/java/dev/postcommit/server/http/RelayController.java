package dev.postcommit.server.http;

import dev.postcommit.server.relay.RelayJson;
import dev.postcommit.server.relay.Relays;
import dev.postcommit.server.table.TableJson;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.support.DurationText;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;
import java.util.function.BiPredicate;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The relays of the process, and their tables as a whole. */
@RestController
@RequestMapping(AdminConfiguration.ROOT + "/relays")
final class RelayController {
  static final Set<String> PRUNE_FIELDS = Set.of("older_than", "batch_size", "operator");
  static final Set<String> PAUSE_FIELDS = Set.of("operator", "reason");
  static final Set<String> WAKE_FIELDS = Set.of("operator");

  private static final int PRUNE_BATCH = 5000;
  private static final int MOST_PRUNE_BATCH = 100_000;

  private final Relays relays;
  private final AdminResponses responses;

  RelayController(Relays relays, AdminResponses responses) {
    this.relays = relays;
    this.responses = responses;
  }

  @GetMapping
  ResponseEntity<byte[]> list() {
    return AdminResponses.document(RelayJson.list(relays));
  }

  @GetMapping("/{relay}/status")
  ResponseEntity<byte[]> status(@PathVariable("relay") String name) {
    return responses.answer(name, RelayJson::status);
  }

  @PostMapping(path = "/{relay}/prune", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> prune(@PathVariable("relay") String name, InputStream in)
      throws IOException {
    JsonBody body = JsonBody.read(in, PRUNE_FIELDS);
    String operator = body.operator();
    Duration age = olderThan(body);
    int batch = body.number("batch_size", MOST_PRUNE_BATCH).orElse(PRUNE_BATCH);
    return responses.answer(
        name,
        relay -> {
          long deleted = relay.operators().prune(age, batch);
          AdminResponses.changed(relay, operator, "pruned", deleted, "delivered event");
          return TableJson.pruned(relay.layout(), deleted);
        });
  }

  private static Duration olderThan(JsonBody body) {
    String text =
        body.text("older_than")
            .orElseThrow(
                () ->
                    RequestException.badRequest(
                        "older_than is missing; say how old, as 30d, 12h or 0s"));
    Duration age = RequestValues.parse("older_than", text, DurationText::read);
    if (age.isNegative()) {
      throw RequestException.badRequest("older_than must not be negative");
    }
    return age;
  }

  @PostMapping(path = "/{relay}/pause", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> pause(@PathVariable("relay") String name, InputStream in)
      throws IOException {
    return decide(name, in, OutboxAdmin::pause, "paused the table");
  }

  @PostMapping(path = "/{relay}/resume", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> resume(@PathVariable("relay") String name, InputStream in)
      throws IOException {
    return decide(name, in, OutboxAdmin::resume, "resumed the table");
  }

  private ResponseEntity<byte[]> decide(
      String name, InputStream in, BiPredicate<OutboxAdmin, Decision> change, String what)
      throws IOException {
    Decision decision = JsonBody.read(in, PAUSE_FIELDS).decision(false);
    return responses.answer(
        name,
        relay -> {
          boolean changed = change.test(relay.operators(), decision);
          AdminResponses.changed(relay, decision.operator(), what);
          return TableJson.paused(relay.layout(), changed, relay.operators().paused());
        });
  }

  @PostMapping(path = "/{relay}/wake", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> wake(@PathVariable("relay") String name, InputStream in)
      throws IOException {
    String operator = JsonBody.read(in, WAKE_FIELDS).operator();
    return responses.answer(
        name,
        relay -> {
          relay.wakeUp();
          AdminResponses.changed(relay, operator, "woke the relay");
          return RelayJson.one(relay);
        });
  }
}
