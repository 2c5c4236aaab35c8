package dev.postcommit.server.table;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin.Pause;
import dev.postcommit.store.OutboxAdmin.TopicOutage;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Topics that cannot be sent to, in JSON. */
public final class TopicJson {
  private TopicJson() {}

  /** Everything about a table. */
  public static Json.Fields list(Layout layout, List<TopicOutage> topics) {
    return fields -> {
      fields.writeStringField("table", layout.table().toString());
      write(fields, "topics", topics);
    };
  }

  static void write(JsonGenerator fields, String name, List<TopicOutage> topics)
      throws IOException {
    fields.writeArrayFieldStart(name);
    for (TopicOutage topic : topics) {
      write(fields, topic);
    }
    fields.writeEndArray();
  }

  private static void write(JsonGenerator fields, TopicOutage topic) throws IOException {
    fields.writeStartObject();
    fields.writeStringField("topic", topic.topic());
    fields.writeStringField("reason", topic.reason());
    fields.writeStringField("since", topic.since().toString());
    fields.writeNumberField("seconds", topic.lasting().toMillis() / 1000.0);
    @Nullable Pause givenUp = topic.givenUp();
    if (givenUp == null) {
      fields.writeNullField("given_up");
    } else {
      fields.writeObjectFieldStart("given_up");
      fields.writeStringField("at", givenUp.at().toString());
      fields.writeStringField("operator", givenUp.operator());
      fields.writeStringField("reason", givenUp.reason());
      fields.writeEndObject();
    }
    fields.writeEndObject();
  }

  /** The decision to give up the events of one. */
  public static Json.Fields givenUp(Layout layout, String topic, Decision decision) {
    return fields -> {
      fields.writeStringField("table", layout.table().toString());
      fields.writeStringField("topic", topic);
      fields.writeStringField("operator", decision.operator());
      fields.writeStringField("reason", decision.reason());
    };
  }
}
