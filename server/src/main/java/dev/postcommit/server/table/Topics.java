package dev.postcommit.server.table;

import dev.postcommit.layout.Layout;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.TopicOutage;
import java.util.List;

/** The operators' API for topics that cannot be sent to. */
public final class Topics {
  private Topics() {}

  /**
   * Those for which events of a table wait, the oldest first.
   *
   * @throws Failure if there is no table in which relays could say so
   */
  public static List<TopicOutage> list(OutboxAdmin admin, Layout layout) {
    return admin
        .topics()
        .orElseThrow(
            () ->
                new Failure(
                    "there is no table %s, in which relays say which topics take no messages; run 'postcommit migrate' first"
                        .formatted(layout.topics())));
  }

  /**
   * Gives up the events that wait for a topic.
   *
   * @param place where the table is
   * @throws Failure if none do
   */
  public static void giveUp(OutboxAdmin admin, String topic, Decision decision, String place) {
    if (!admin.giveUp(topic, decision)) {
      throw new Failure(
          "no events of %s wait for topic %s; nothing was given up"
              .formatted(place, Texts.printable(topic)));
    }
  }
}
