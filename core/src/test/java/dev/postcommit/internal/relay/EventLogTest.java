package dev.postcommit.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Without a provider of SLF4J, no level is enabled. */
class EventLogTest {

  @Test
  void nothingIsFormattedForALineThatIsNotLogged() {
    assertThat(LoggerFactory.getLogger("dev.postcommit.event").isErrorEnabled()).isFalse();
    assertThatCode(
            () -> {
              EventLog.deferred(null, null, null);
              EventLog.retrying(null, null, null, Level.ERROR);
            })
        .doesNotThrowAnyException();
  }
}
