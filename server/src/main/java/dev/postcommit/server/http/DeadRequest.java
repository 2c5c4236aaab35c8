package dev.postcommit.server.http;

import dev.postcommit.server.table.DeadChange;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/**
 * A request to replay or discard dead events.
 *
 * @param ids those that are named one by one; none if a filter says which
 * @param filter which of them, or of all
 * @param dryRun whether they are only to be listed
 * @param decision who decides, and why
 */
record DeadRequest(List<String> ids, DeadFilter filter, boolean dryRun, Decision decision) {

  /** Does nothing. */
  private static final Decision NONE = new Decision("nobody", null);

  /** The allowed fields. */
  static final Set<String> FIELDS =
      Set.of(
          "ids",
          "type",
          "topic",
          "key",
          "error",
          "from",
          "before",
          "all",
          "operator",
          "reason",
          "dry_run");

  static DeadRequest read(InputStream in, DeadChange change) throws IOException {
    JsonBody body = JsonBody.read(in, FIELDS);
    List<String> ids = body.texts("ids");
    DeadFilter filter =
        new DeadFilter(
            null,
            body.text("type").orElse(null),
            body.text("topic").orElse(null),
            body.text("key").orElse(null),
            body.text("error").orElse(null),
            RequestValues.timeIfGiven("from", body.text("from").orElse(null)),
            RequestValues.timeIfGiven("before", body.text("before").orElse(null)));
    boolean narrowed = !ids.isEmpty() || !filter.equals(DeadFilter.all());
    if (body.flag("all") == narrowed) {
      throw RequestException.badRequest(
          "say which dead events: give ids, a filter such as type, or \"all\": true alone");
    }
    boolean dryRun = body.flag("dry_run");
    return new DeadRequest(
        ids, filter, dryRun, dryRun ? NONE : body.decision(change.needsReason()));
  }
}
