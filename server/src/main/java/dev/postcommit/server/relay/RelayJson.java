package dev.postcommit.server.relay;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.server.table.Json;
import dev.postcommit.server.table.TableJson;
import dev.postcommit.server.table.TableStatus;
import dev.postcommit.settings.Setting;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The relays of the process in JSON. */
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

  /** The state of one relay's table and broker. */
  public static Json.Fields status(RunningRelay relay) {
    TableStatus standing = TableStatus.of(relay.operators());
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
    fields.writeStringField("problem", relay.probes().databaseProblem().orElse(null));
    fields.writeEndObject();
    writeBroker(fields, relay);
  }

  private static void writeBroker(JsonGenerator fields, RunningRelay relay) throws IOException {
    broker(fields, relay.plan().broker(), relay.probes().brokerProblem().orElse(null));
  }

  /** A broker and its problem; null if there is none. */
  public static void broker(JsonGenerator fields, Broker broker, @Nullable String problem)
      throws IOException {
    fields.writeObjectFieldStart("broker");
    fields.writeStringField("kind", Setting.word(broker.kind()));
    fields.writeStringField("name", broker.name());
    fields.writeStringField("problem", problem);
    fields.writeEndObject();
  }
}
