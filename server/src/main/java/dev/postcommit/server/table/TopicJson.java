package dev.postcommit.server.table;

import dev.postcommit.layout.Layout;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin.Pause;
import dev.postcommit.store.OutboxAdmin.TopicOutage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Topics that cannot be sent to, in JSON. */
public final class TopicJson {
  private TopicJson() {}

  /** Those of a table. */
  public static JsonObject list(Layout layout, List<TopicOutage> topics) {
    return TableJson.table(layout).set("topics", all(topics));
  }

  static List<JsonObject> all(List<TopicOutage> topics) {
    return topics.stream().map(TopicJson::topic).toList();
  }

  private static JsonObject topic(TopicOutage topic) {
    @Nullable Pause givenUp = topic.givenUp();
    return new JsonObject()
        .set("topic", topic.topic())
        .set("reason", topic.reason())
        .set("since", topic.since())
        .set("seconds", topic.lasting().toMillis() / 1000.0)
        .set("given_up", givenUp == null ? null : TableJson.decided(givenUp));
  }

  /** The decision to give up the events of one. */
  public static JsonObject givenUp(Layout layout, String topic, Decision decision) {
    return TableJson.table(layout)
        .set("topic", topic)
        .set("operator", decision.operator())
        .set("reason", decision.reason());
  }
}
