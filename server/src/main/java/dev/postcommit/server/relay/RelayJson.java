package dev.postcommit.server.relay;

import dev.postcommit.server.table.JsonObject;
import dev.postcommit.server.table.TableJson;
import dev.postcommit.server.table.TableStatus;
import dev.postcommit.settings.Setting;
import org.jspecify.annotations.Nullable;

/** The relays of the process in JSON. */
public final class RelayJson {
  private RelayJson() {}

  /** All of them. */
  public static JsonObject list(Relays relays) {
    return new JsonObject().set("relays", relays.all().stream().map(RelayJson::one).toList());
  }

  /** One of them. */
  public static JsonObject one(RunningRelay relay) {
    return new JsonObject()
        .set("name", relay.name())
        .set("state", Setting.word(relay.state()))
        .setAll(TableJson.names(relay.layout()))
        .set(
            "database",
            new JsonObject()
                .set("name", relay.plan().table().address())
                .set("problem", relay.probes().databaseProblem().orElse(null)))
        .set("broker", broker(relay));
  }

  /** The state of one relay's table and broker. */
  public static JsonObject status(RunningRelay relay) {
    return TableStatus.of(relay.operators()).json(relay.layout()).set("broker", broker(relay));
  }

  private static JsonObject broker(RunningRelay relay) {
    return broker(relay.plan().broker(), relay.probes().brokerProblem().orElse(null));
  }

  /** A broker and its problem; null if there is none. */
  public static JsonObject broker(Broker broker, @Nullable String problem) {
    return new JsonObject()
        .set("kind", Setting.word(broker.kind()))
        .set("name", broker.name())
        .set("problem", problem);
  }
}
