package dev.postcommit.server.http;

import dev.postcommit.server.settings.ProcessSettings;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.settings.SettingException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is served by HTTP, and where.
 *
 * @param address where health and metrics are served
 * @param port the port of that, or {@link ProcessSettings#OFF}
 * @param adminAddress where operators' requests are answered
 * @param adminPort the port of that, or {@link ProcessSettings#OFF}
 * @param adminToken what operators' requests must carry; null if none are answered
 */
public record WebSettings(
    String address, int port, String adminAddress, int adminPort, @Nullable String adminToken) {

  /** The most concurrent requests, and so the most database connections for them. */
  private static final int ADMIN_THREADS = 8;

  /**
   * As the settings say.
   *
   * @throws SettingException if they contradict each other
   */
  public static WebSettings of(Settings settings) {
    int port = settings.get(ProcessSettings.HTTP_PORT);
    if (port == ProcessSettings.OFF) {
      String why = settings.name(ProcessSettings.HTTP_PORT) + " is off";
      settings.refuse(ProcessSettings.HTTP_ADDRESS, why, ProcessSettings.HTTP_PORT, "8580");
    }
    int adminPort = settings.get(ProcessSettings.ADMIN_PORT);
    if (adminPort == ProcessSettings.OFF) {
      String why = settings.name(ProcessSettings.ADMIN_PORT) + " is off";
      settings.refuse(ProcessSettings.ADMIN_TOKEN, why, ProcessSettings.ADMIN_PORT, "8581");
      settings.refuse(ProcessSettings.ADMIN_TOKEN_FILE, why, ProcessSettings.ADMIN_PORT, "8581");
      settings.refuse(ProcessSettings.ADMIN_ADDRESS, why, ProcessSettings.ADMIN_PORT, "8581");
    }
    @Nullable String token =
        settings.secret(ProcessSettings.ADMIN_TOKEN, ProcessSettings.ADMIN_TOKEN_FILE).orElse(null);
    if (adminPort != ProcessSettings.OFF && token == null) {
      throw new SettingException(
          "%s is set, and admin-token is not; %s"
              .formatted(
                  settings.name(ProcessSettings.ADMIN_PORT),
                  settings.howToSet(ProcessSettings.ADMIN_TOKEN)));
    }
    if (adminPort != ProcessSettings.OFF && adminPort != 0 && adminPort == port) {
      throw new SettingException(
          "%s and %s are both %d; give %1$s one of its own"
              .formatted(
                  settings.name(ProcessSettings.ADMIN_PORT),
                  settings.name(ProcessSettings.HTTP_PORT),
                  port));
    }
    return new WebSettings(
        settings.get(ProcessSettings.HTTP_ADDRESS),
        port,
        settings.get(ProcessSettings.ADMIN_ADDRESS),
        adminPort,
        token);
  }

  /** Whether nothing is served. */
  public boolean isOff() {
    return !hasMetrics() && !hasAdmin();
  }

  /** Whether health and metrics are served. */
  public boolean hasMetrics() {
    return port != ProcessSettings.OFF;
  }

  boolean hasAdmin() {
    return adminPort != ProcessSettings.OFF;
  }

  /** Spring Boot's properties. With an admin port, health and metrics have their own server. */
  Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>();
    properties.put("server.address", hasAdmin() ? adminAddress : address);
    properties.put("server.port", hasAdmin() ? adminPort : port);
    if (hasAdmin()) {
      properties.put("management.server.address", address);
      properties.put("management.server.port", port);
      properties.put("server.tomcat.threads.max", ADMIN_THREADS);
      properties.put("server.tomcat.threads.min-spare", 1);
    }
    properties.put("spring.web.resources.add-mappings", false);
    String server = hasAdmin() ? "management:" : "server:";
    properties.put("management.endpoint.health.group.liveness.additional-path", server + "/livez");
    properties.put(
        "management.endpoint.health.group.readiness.additional-path", server + "/readyz");
    return properties;
  }

  /** Leaves out the token. */
  @Override
  public String toString() {
    return "health at %s:%d, operators at %s:%d".formatted(address, port, adminAddress, adminPort);
  }
}
