package dev.postcommit.bench.run;

import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Field;
import dev.postcommit.bench.measure.Servers;
import dev.postcommit.bench.measure.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.AppInfoParser;

/** The conditions of a run: machine, servers, contenders, sizes. */
final class Surroundings {
  private Surroundings() {}

  static Map<String, String> describe(Servers servers, Field field, Sizes sizes)
      throws SQLException {
    Map<String, String> about = new TreeMap<>();
    about.put("machine.cpu", fromProc("cpuinfo", "model name"));
    about.put("machine.cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    about.put("machine.memory", fromProc("meminfo", "MemTotal"));
    about.put("machine.os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    about.put("machine.java", System.getProperty("java.vm.name") + " " + Runtime.version());
    about.put("run.date", LocalDate.now(ZoneOffset.UTC).toString());
    about.put("run.rounds", Integer.toString(sizes.rounds()));
    about.put("run.events", Integer.toString(sizes.backlog().events()));
    about.put("run.bytes", Integer.toString(sizes.bytes()));
    about.put("run.drain_limit", sizes.backlog().limit().toSeconds() + " s");
    about.put("run.small_backlog", Integer.toString(sizes.smallBacklog().events()));
    about.put("run.small_limit", sizes.smallBacklog().limit().toSeconds() + " s");
    about.put("run.steady_seconds", Integer.toString(sizes.seconds()));
    about.put("run.probe_seconds", Integer.toString(sizes.probeSeconds()));
    about.put("run.writers", Integer.toString(Sizes.WRITERS));
    about.put("run.quick", Boolean.toString(sizes.isQuick()));
    about.put("run.jvm_options", Field.options());
    about.put("kafka.version", AppInfoParser.getVersion());
    about.put("kafka.setting.partitions", Integer.toString(Servers.PARTITIONS));
    try (Connection connection = servers.dataSource().getConnection()) {
      about.put("postgres.version", connection.getMetaData().getDatabaseProductVersion());
      for (String name :
          Stream.concat(
                  Servers.POSTGRES.keySet().stream(), Stream.of("fsync", "synchronous_commit"))
              .toList()) {
        try (ResultSet row = connection.createStatement().executeQuery("SHOW " + name)) {
          row.next();
          about.put("postgres.setting." + name, row.getString(1));
        }
      }
    }
    field.contenders().forEach(contender -> describe(contender, about));
    return about;
  }

  private static void describe(ContenderProcess contender, Map<String, String> about) {
    String prefix = "contender." + contender.entrant().id() + ".";
    about.put(prefix + "name", contender.entrant().name());
    about.put(prefix + "kind", contender.entrant().kind().text());
    contender
        .description()
        .forEach(
            (name, value) ->
                about.put(prefix + (name.isEmpty() ? "version" : "setting." + name), value));
  }

  private static String fromProc(String file, String name) {
    try (Stream<String> lines = Files.lines(Path.of("/proc", file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
