package dev.postcommit.server;

import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.web.WebServer;
import dev.postcommit.server.web.WebSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The relays of the process, and what is served and told of them. */
final class RelayHost implements AutoCloseable {
  private final WebSettings webSettings;
  private final MeterRegistry metrics = new SimpleMeterRegistry();
  private final Relays relays;
  private @Nullable WebServer web;

  private RelayHost(WebSettings webSettings, List<RelayPlan> plans) {
    this.webSettings = webSettings;
    this.relays = new Relays(plans, plan -> List.of());
  }

  /** Makes all parts; nothing runs yet. */
  static RelayHost open(Settings settings, List<RelayPlan> plans) {
    return new RelayHost(WebSettings.of(settings), plans);
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
    if (web != null) {
      web.close();
    }
  }
}
