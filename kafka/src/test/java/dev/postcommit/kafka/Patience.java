package dev.postcommit.kafka;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What a test of this module waits for, without saying for how long, may take a minute: most of it
 * is written to disks, whose pauses of some seconds are no matter of the test.
 */
public final class Patience implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
  }
}
