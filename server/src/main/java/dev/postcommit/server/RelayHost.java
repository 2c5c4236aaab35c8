package dev.postcommit.server;

import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.web.WebServer;
import dev.postcommit.server.web.WebSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The relays of the process, and what is served and told of them. */
final class RelayHost implements AutoCloseable {
  private final WebSettings webSettings;
  private final MeterRegistry metrics = new SimpleMeterRegistry();
  private final Telemetry telemetry;
  private final Relays relays;
  private @Nullable WebServer web;

  private RelayHost(WebSettings webSettings, Telemetry telemetry, List<RelayPlan> plans) {
    this.webSettings = webSettings;
    this.telemetry = telemetry;
    this.relays = new Relays(plans, plan -> telemetry.listeners());
  }

  /** Makes all parts; nothing runs yet. */
  static RelayHost open(Settings settings, List<RelayPlan> plans, Map<String, String> environment) {
    return new RelayHost(WebSettings.of(settings), Telemetry.of(settings, environment), plans);
  }

  /** Starts serving, and then delivering. */
  void start() {
    if (!webSettings.isOff()) {
      web = WebServer.start(webSettings, relays, metrics);
    }
    relays.start();
  }

  /** Stops delivering, and serves until that is done. */
  @Override
  public void close() {
    relays.close();
    telemetry.close();
    if (web != null) {
      web.close();
    }
  }
}
