package dev.postcommit.bench.debezium;

import dev.postcommit.bench.contender.Environment;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** How the engine, its connector, its transform and the producer are set. */
final class Settings {
  static final String PUBLICATION = "debezium_outbox";

  /** What bears on speed or safety, with the reason. */
  private static final String[][] TUNED = {
    {
      "poll.interval.ms",
      "1",
      "default 500: a batch waits this long unless it is full, and so does the reader of the log"
          + " when there is nothing to read"
    },
    {
      "record.processing.threads",
      "1",
      "default as many as cores: records are handed over one by one, and to one thread costs least"
    },
    {
      "offset.flush.interval.ms",
      "1000",
      "default 60000: what may be sent again after a crash, and how much log the slot retains"
    },
    {"snapshot.mode", "no_data", "what waits is in the log since the slot was created"},
    {"plugin.name", "pgoutput", "default decoderbufs, which is no part of Postgres"},
    {"publication.autocreate.mode", "disabled", "the publication is there"},
  };

  private static final String[][] PRODUCER = {
    {"acks", "all", "and idempotent, as by default"},
    {"linger.ms", "2", "default 5"},
    {"batch.size", "131072", "default 16384"},
    {
      "delivery.timeout.ms",
      Integer.toString(Integer.MAX_VALUE),
      "as Kafka Connect sets it: the producer tries on as long as the broker is away"
    },
    {"max.block.ms", Long.toString(Long.MAX_VALUE), "as Kafka Connect sets it, likewise"},
  };

  private Settings() {}

  static Properties engine(Environment environment, String slot, Path offsets) {
    URI database = URI.create(environment.jdbcUrl().substring("jdbc:".length()));
    Properties properties = new Properties();
    properties.put("name", slot);
    properties.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    properties.put("topic.prefix", slot);
    properties.put("database.hostname", database.getHost());
    properties.put("database.port", Integer.toString(database.getPort()));
    properties.put("database.dbname", database.getPath().substring(1));
    properties.put("database.user", environment.username());
    properties.put("slot.name", slot);
    properties.put("publication.name", PUBLICATION);
    properties.put("table.include.list", "public." + OutboxTable.NAME);
    properties.put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    properties.put("offset.storage.file.filename", offsets.toString());
    properties.put("transforms", "outbox");
    properties.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
    properties.put("transforms.outbox.route.topic.replacement", environment.topic());
    for (String[] setting : TUNED) {
      properties.put(setting[0], setting[1]);
    }
    return properties;
  }

  static Map<String, Object> producer(Environment environment) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("bootstrap.servers", environment.bootstrapServers());
    for (String[] setting : PRODUCER) {
      settings.put(setting[0], setting[1]);
    }
    return settings;
  }

  /** What a reader is told of them. */
  static Map<String, String> described() {
    Map<String, String> described = new LinkedHashMap<>();
    for (String[] setting : TUNED) {
      described.put(setting[0], setting[1] + " (" + setting[2] + ")");
    }
    for (String[] setting : PRODUCER) {
      described.put("producer " + setting[0], setting[1] + " (" + setting[2] + ")");
    }
    return described;
  }
}
