package dev.postcommit.server;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.server.settings.Setting;
import java.io.IOException;

/** Relays of the process in JSON. */
public final class RelayJson {
  private RelayJson() {}

  /** All of them. */
  public static Json.Fields list(Relays relays) {
    return fields -> {
      fields.writeArrayFieldStart("relays");
      for (RunningRelay relay : relays.all()) {
        fields.writeStartObject();
        write(fields, relay);
        fields.writeEndObject();
      }
      fields.writeEndArray();
    };
  }

  /** One of them. */
  public static Json.Fields one(RunningRelay relay) {
    return fields -> write(fields, relay);
  }

  /** How the table of one stands, and its broker. */
  public static Json.Fields status(RunningRelay relay) {
    TableStanding standing = TableStanding.of(relay.operators());
    return fields -> {
      TableJson.status(relay.layout(), standing).write(fields);
      writeBroker(fields, relay);
    };
  }

  private static void write(JsonGenerator fields, RunningRelay relay) throws IOException {
    fields.writeStringField("name", relay.name());
    fields.writeStringField("state", Setting.word(relay.state()));
    fields.writeStringField("table", relay.layout().table().toString());
    fields.writeStringField("layout", relay.layout().name());
    fields.writeObjectFieldStart("database");
    fields.writeStringField("name", relay.plan().table().address());
    fields.writeStringField("problem", relay.neighbours().databaseProblem().orElse(null));
    fields.writeEndObject();
    writeBroker(fields, relay);
  }

  private static void writeBroker(JsonGenerator fields, RunningRelay relay) throws IOException {
    BrokerLook.write(
        fields, relay.plan().broker(), relay.neighbours().brokerProblem().orElse(null));
  }
}
