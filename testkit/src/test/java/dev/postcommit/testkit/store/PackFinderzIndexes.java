package dev.postcommit.testkit.store;

import java.util.List;

/** The indexes that its owner may add to PackFinderz' table, though its columns are fixed. */
public final class PackFinderzIndexes {
  /** The statements that add them. */
  public static final List<String> STATEMENTS =
      List.of(
          """
          CREATE INDEX outbox_events_recent ON outbox_events (created_at, id)
          WHERE published_at IS NULL""",
          """
          CREATE INDEX outbox_events_pending_key ON outbox_events (aggregate_id, created_at, id)
          WHERE CASE WHEN published_at IS NULL THEN true ELSE false END""");

  private PackFinderzIndexes() {}
}
