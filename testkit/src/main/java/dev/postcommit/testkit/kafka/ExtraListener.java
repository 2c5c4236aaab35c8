package dev.postcommit.testkit.kafka;

import dev.postcommit.testkit.process.Ports;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * An additional listener of a broker.
 *
 * @param name its name, in capital letters
 * @param protocol its security protocol
 * @param port its port
 * @param settings its settings, without the prefix that names the listener
 */
record ExtraListener(String name, String protocol, int port, Map<String, String> settings) {
  private static final String PROTOCOLS = "listener.security.protocol.map";

  ExtraListener {
    settings = Map.copyOf(settings);
  }

  String address() {
    return Ports.HOST + ":" + port;
  }

  void addTo(Properties properties) {
    for (String listeners : new String[] {"listeners", "advertised.listeners"}) {
      properties.setProperty(
          listeners, properties.getProperty(listeners) + "," + name + "://" + address());
    }
    properties.setProperty(
        PROTOCOLS,
        properties.getProperty(PROTOCOLS, "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT")
            + ","
            + name
            + ":"
            + protocol);
    String prefix = "listener.name." + name.toLowerCase(Locale.ROOT) + ".";
    settings.forEach((setting, value) -> properties.setProperty(prefix + setting, value));
  }
}
