package dev.postcommit.server.http;

import dev.postcommit.server.relay.RunningRelay;
import dev.postcommit.server.table.AuditJson;
import dev.postcommit.server.table.DeadChange;
import dev.postcommit.server.table.DeadChange.Chosen;
import dev.postcommit.server.table.DeadJson;
import dev.postcommit.server.table.JsonObject;
import dev.postcommit.server.table.TableJson;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.DeadReason;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import dev.postcommit.store.UnfinishedDecisionException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Dead events of a relay's table, and what operators did to them. */
@RestController
@RequestMapping(AdminConfiguration.ROOT + "/relays/{relay}")
final class DeadController {

  private static final int MOST_EVENTS = 200;

  private static final int MOST_ENTRIES = 1000;

  /** The most reasons that a dry run counts. */
  private static final int REASONS = 20;

  private final AdminResponses responses;

  DeadController(AdminResponses responses) {
    this.responses = responses;
  }

  @GetMapping("/dead")
  ResponseEntity<byte[]> list(
      @PathVariable("relay") String name,
      @RequestParam(name = "type", required = false) @Nullable String type,
      @RequestParam(name = "topic", required = false) @Nullable String topic,
      @RequestParam(name = "key", required = false) @Nullable String key,
      @RequestParam(name = "error", required = false) @Nullable String error,
      @RequestParam(name = "from", required = false) @Nullable String from,
      @RequestParam(name = "before", required = false) @Nullable String before,
      @RequestParam(name = "limit", defaultValue = "50") String limit) {
    int most = RequestValues.number("limit", limit, MOST_EVENTS);
    DeadFilter filter =
        new DeadFilter(
            null,
            RequestValues.textIfGiven("type", type),
            RequestValues.textIfGiven("topic", topic),
            RequestValues.textIfGiven("key", key),
            RequestValues.textIfGiven("error", error),
            RequestValues.timeIfGiven("from", from),
            RequestValues.timeIfGiven("before", before));
    return responses.answer(name, relay -> list(relay.operators(), filter, most));
  }

  private static JsonObject list(OutboxAdmin admin, DeadFilter filter, int most) {
    List<DeadSummary> events = admin.dead(filter, most);
    return DeadJson.list(events, events.size() < most ? events.size() : admin.countDead(filter));
  }

  @GetMapping("/dead/{id}")
  ResponseEntity<byte[]> show(@PathVariable("relay") String name, @PathVariable("id") String id) {
    RequestValues.text("id", id);
    return responses.answer(
        name,
        relay ->
            relay
                .operators()
                .dead(id)
                .map(DeadJson::whole)
                .orElseThrow(
                    () ->
                        new RequestException(
                            HttpStatus.NOT_FOUND,
                            "there is no dead event " + id + " in " + relay.place())));
  }

  @PostMapping(path = "/dead/replay", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> replay(@PathVariable("relay") String name, InputStream body)
      throws IOException {
    return change(name, DeadChange.REPLAY, body);
  }

  @PostMapping(path = "/dead/discard", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> discard(@PathVariable("relay") String name, InputStream body)
      throws IOException {
    return change(name, DeadChange.DISCARD, body);
  }

  private ResponseEntity<byte[]> change(String name, DeadChange change, InputStream body)
      throws IOException {
    DeadRequest request = DeadRequest.read(body, change);
    return responses.answer(name, relay -> change(relay, change, request));
  }

  private static JsonObject change(RunningRelay relay, DeadChange change, DeadRequest request) {
    OutboxAdmin admin = relay.operators();
    DeadFilter filter = request.filter();
    Chosen chosen = change.choose(admin, filter, request.ids(), relay.place());
    if (request.dryRun()) {
      List<DeadReason> reasons = admin.deadReasons(chosen.filter(), REASONS);
      return TableJson.changed(relay.layout(), change, true, chosen, 0)
          .setAll(DeadJson.reasons(reasons));
    }
    long changed = apply(relay, change, chosen, request.decision());
    return TableJson.changed(relay.layout(), change, false, chosen, changed);
  }

  private static long apply(
      RunningRelay relay, DeadChange change, Chosen chosen, Decision decision) {
    try {
      long changed = change.apply(relay.operators(), chosen, decision, done -> {});
      AdminResponses.changed(relay, decision.operator(), change.done(), changed, "dead event");
      return changed;
    } catch (UnfinishedDecisionException e) {
      AdminResponses.changed(relay, decision.operator(), change.done(), e.changed(), "dead event");
      throw e;
    }
  }

  @GetMapping("/audit")
  ResponseEntity<byte[]> audit(
      @PathVariable("relay") String name,
      @RequestParam(name = "limit", defaultValue = "50") String limit) {
    int most = RequestValues.number("limit", limit, MOST_ENTRIES);
    return responses.answer(name, relay -> AuditJson.list(relay.operators().audit(most)));
  }
}
