package dev.postcommit.server.relay;

import dev.postcommit.opentelemetry.RelayTracing;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.server.settings.ProcessSettings;
import dev.postcommit.server.settings.Settings;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends traces by OTLP if an endpoint is configured. */
public final class Telemetry implements AutoCloseable {
  private static final List<String> USUAL_VARIABLES =
      List.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");

  /** OpenTelemetry's defaults, which its own variables override. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "otel.service.name", "outbox-publisher",
          "otel.traces.exporter", "otlp",
          "otel.metrics.exporter", "none",
          "otel.logs.exporter", "none",
          "otel.exporter.otlp.protocol", "http/protobuf");

  private final @Nullable OpenTelemetrySdk sdk;

  private Telemetry(@Nullable OpenTelemetrySdk sdk) {
    this.sdk = sdk;
  }

  /** Configured by the settings, or else by OpenTelemetry's own variables. */
  public static Telemetry of(Settings settings, Map<String, String> environment) {
    Optional<String> endpoint = settings.find(ProcessSettings.OTLP_ENDPOINT);
    boolean wanted =
        endpoint.isPresent()
            || USUAL_VARIABLES.stream()
                .anyMatch(name -> !environment.getOrDefault(name, "").isBlank());
    return new Telemetry(wanted ? sdk(endpoint) : null);
  }

  private static OpenTelemetrySdk sdk(Optional<String> endpoint) {
    AutoConfiguredOpenTelemetrySdkBuilder builder =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addPropertiesSupplier(() -> DEFAULTS);
    endpoint.ifPresent(
        url ->
            builder.addPropertiesCustomizer(
                config -> new HashMap<>(Map.of("otel.exporter.otlp.endpoint", url))));
    return builder.build().getOpenTelemetrySdk();
  }

  /** The listeners that trace a relay. */
  public List<RelayListener> listeners(Broker broker) {
    return sdk == null ? List.of() : List.of(RelayTracing.of(sdk, system(broker)));
  }

  /** The broker's name in OpenTelemetry's conventions. */
  private static String system(Broker broker) {
    return switch (broker.kind()) {
      case KAFKA -> "kafka";
      case PUBSUB -> "gcp_pubsub";
    };
  }

  /** Flushes what was not sent yet, for a moment. */
  @Override
  public void close() {
    if (sdk != null) {
      sdk.close();
    }
  }
}
