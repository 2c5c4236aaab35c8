package dev.postcommit.testkit.kafka;

import dev.postcommit.testkit.process.Ports;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The users of a cluster, who connect to a separate listener with SASL/PLAIN. Clients of the other
 * listener are anonymous and may do everything.
 *
 * @param passwords the passwords, by user
 */
record ClusterUsers(Map<String, String> passwords) {
  private static final String MODULE =
      "org.apache.kafka.common.security.plain.PlainLoginModule required";

  ClusterUsers {
    passwords = Map.copyOf(new LinkedHashMap<>(passwords));
  }

  /** Turns access control on, also for a controller. */
  void addControlTo(Properties properties) {
    if (!passwords.isEmpty()) {
      properties.setProperty(
          "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
      properties.setProperty("super.users", "User:ANONYMOUS");
    }
  }

  /** Adds the users' listener to a broker. */
  void addListenerTo(Properties properties, int port) {
    if (passwords.isEmpty()) {
      return;
    }
    for (String listeners : new String[] {"listeners", "advertised.listeners"}) {
      properties.setProperty(
          listeners, properties.getProperty(listeners) + ",USERS://" + Ports.HOST + ":" + port);
    }
    properties.setProperty(
        "listener.security.protocol.map",
        "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,USERS:SASL_PLAINTEXT");
    properties.setProperty("sasl.enabled.mechanisms", "PLAIN");
    StringBuilder module = new StringBuilder(MODULE);
    passwords.forEach(
        (user, password) -> module.append(" user_%s=\"%s\"".formatted(user, password)));
    properties.setProperty(
        "listener.name.users.plain.sasl.jaas.config", module.append(';').toString());
  }

  Map<String, String> clientSettings(String user, String addresses) {
    String password = passwords.get(user);
    if (password == null) {
      throw new IllegalArgumentException("no user of this cluster: " + user);
    }
    return Map.of(
        "bootstrap.servers",
        addresses,
        "security.protocol",
        "SASL_PLAINTEXT",
        "sasl.mechanism",
        "PLAIN",
        "sasl.jaas.config",
        MODULE + " username=\"%s\" password=\"%s\";".formatted(user, password));
  }
}
