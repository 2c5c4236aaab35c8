package dev.postcommit.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class UnknownTypeWarningTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(UnknownTypeWarning.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final UnknownTypeWarning warning =
      new UnknownTypeWarning("inventory", Set.of("order.placed"), UnknownTypes.IGNORE);

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
  }

  private List<String> messages() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void comesOncePerType() {
    warning.found("order.plcaed");
    warning.found("order.plcaed");

    assertThat(messages())
        .containsExactly(
            "inventory has no handler for events of type order.plcaed, and ignores them;"
                + " its handlers are for order.placed; did you mean order.placed?");
  }

  @Test
  void showsTheBeginningOfAnEndlessType() {
    String type = "x".repeat(1_000_000);
    warning.found(type);
    warning.found(type + "y");

    assertThat(messages())
        .containsExactly(
            "inventory has no handler for events of type "
                + "x".repeat(200)
                + "…, and ignores them; its handlers are for order.placed");
  }
}
