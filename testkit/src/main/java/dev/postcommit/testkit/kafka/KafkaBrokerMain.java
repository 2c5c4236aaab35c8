package dev.postcommit.testkit.kafka;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.Kafka;
import kafka.tools.StorageTool;

/** Main class of a broker: formats its storage if it is new, then runs Kafka. */
final class KafkaBrokerMain {

  private KafkaBrokerMain() {}

  /**
   * Runs the broker until the process is terminated.
   *
   * @param args the path of {@code server.properties}, and the id of the cluster
   */
  public static void main(String[] args) throws IOException {
    Path configuration = Path.of(args[0]);
    Properties properties = new Properties();
    try (InputStream input = Files.newInputStream(configuration)) {
      properties.load(input);
    }
    if (!Files.exists(Path.of(properties.getProperty("log.dirs"), "meta.properties"))) {
      String[] format = {"format", "--cluster-id", args[1], "--config", configuration.toString()};
      int exitCode = StorageTool.execute(format, System.out);
      if (exitCode != 0) {
        System.exit(exitCode);
      }
    }
    Kafka.main(new String[] {args[0]});
  }
}
