package dev.postcommit.server.logging;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.postcommit.support.LogText;

/** A message of the text log on one line, whatever it contains. */
public final class LogLine extends MessageConverter {

  @Override
  public String convert(ILoggingEvent event) {
    return LogText.line(super.convert(event));
  }
}
