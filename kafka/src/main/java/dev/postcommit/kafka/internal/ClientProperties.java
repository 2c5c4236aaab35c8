package dev.postcommit.kafka.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The user's properties of a Kafka client, checked and passed on to other clients. */
public final class ClientProperties {
  private ClientProperties() {}

  /**
   * Rejects a property that must not be set.
   *
   * @throws IllegalArgumentException if it is, with its name and value
   */
  public static void refuse(Map<String, ?> properties, String name, String reason) {
    if (properties.get(name) != null) {
      throw new IllegalArgumentException(
          "%s must not be set, but is %s: %s".formatted(name, properties.get(name), reason));
    }
  }

  /**
   * Parses properties as a client does.
   *
   * @throws IllegalArgumentException if one is invalid, with its name and value
   */
  public static Map<String, Object> parse(ConfigDef client, Map<String, ?> properties) {
    try {
      return client.parse(properties);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** A time among parsed properties. */
  public static Duration millis(Map<String, Object> parsed, String name) {
    return Duration.ofMillis(Long.parseLong(String.valueOf(parsed.get(name))));
  }

  /**
   * The properties that another client can have too: all but those that only the first knows.
   *
   * @param from the names that the first client knows
   * @param to the names that the other client knows
   */
  public static Map<String, Object> shared(
      Map<String, ?> properties, Set<String> from, Set<String> to) {
    Map<String, Object> shared = new HashMap<>(properties);
    shared.keySet().removeIf(name -> from.contains(name) && !to.contains(name));
    return shared;
  }

  /**
   * The properties of an admin client beside another client.
   *
   * @param shared those that the two have in common
   * @param clientId the name of the other client
   * @param timeout how long the cluster may take to answer
   */
  public static Map<String, Object> admin(
      Map<String, Object> shared, String clientId, Duration timeout) {
    Map<String, Object> admin = new HashMap<>(shared);
    int millis = Math.toIntExact(timeout.toMillis());
    admin.put(AdminClientConfig.CLIENT_ID_CONFIG, clientId + "-admin");
    admin.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    admin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
    return admin;
  }
}
