package dev.postcommit.server.cli;

import dev.postcommit.micrometer.PrometheusScrape;
import dev.postcommit.micrometer.RelayMetrics;
import dev.postcommit.micrometer.TableMetrics;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.server.http.WebServer;
import dev.postcommit.server.http.WebSettings;
import dev.postcommit.server.relay.RelayPlan;
import dev.postcommit.server.relay.Relays;
import dev.postcommit.server.relay.RunningRelay;
import dev.postcommit.server.relay.Telemetry;
import dev.postcommit.server.settings.Settings;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The relays of the process, and what is served and measured about them. */
final class RelayHost implements AutoCloseable {
  private final WebSettings webSettings;
  private final PrometheusMeterRegistry metrics = PrometheusScrape.newRegistry();
  private final Telemetry telemetry;
  private final Relays relays;
  private final List<TableMetrics> tables = new ArrayList<>();
  private @Nullable WebServer web;

  private RelayHost(WebSettings webSettings, Telemetry telemetry, List<RelayPlan> plans) {
    this.webSettings = webSettings;
    this.telemetry = telemetry;
    this.relays = new Relays(plans, this::listeners);
  }

  private List<RelayListener> listeners(RelayPlan plan) {
    List<RelayListener> listeners = new ArrayList<>(telemetry.listeners(plan.broker()));
    if (webSettings.hasMetrics()) {
      listeners.add(
          RelayMetrics.of(
              metrics,
              plan.table().layout(),
              Tags.of("relay", plan.name()),
              RelayMetrics.DEFAULT_MAX_TOPICS));
    }
    return listeners;
  }

  /** Creates all parts, without starting them. */
  static RelayHost open(Settings settings, List<RelayPlan> plans, Map<String, String> environment) {
    return new RelayHost(WebSettings.of(settings), Telemetry.of(settings, environment), plans);
  }

  /** Starts serving, then delivering. */
  void start() {
    if (!webSettings.isOff()) {
      web = WebServer.start(webSettings, relays, metrics);
    }
    if (webSettings.hasMetrics()) {
      for (RunningRelay relay : relays.all()) {
        TableMetrics table =
            TableMetrics.of(
                metrics,
                relay.layout(),
                relay.admin(),
                Tags.of("relay", relay.name()),
                TableMetrics.DEFAULT_INTERVAL);
        tables.add(table);
        table.start();
      }
    }
    relays.start();
  }

  /** Stops delivering, then serving. */
  @Override
  public void close() {
    tables.forEach(TableMetrics::close);
    relays.close();
    telemetry.close();
    if (web != null) {
      web.close();
    }
  }
}
