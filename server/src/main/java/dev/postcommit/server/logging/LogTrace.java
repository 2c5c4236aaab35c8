package dev.postcommit.server.logging;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.postcommit.support.LogText;
import java.util.stream.Collectors;

/**
 * An error's trace in the text log. Every line of it is indented, also those of a message that
 * quotes line breaks: so none can be taken for a line of the log itself.
 */
public final class LogTrace extends ThrowableProxyConverter {
  private static final String INDENT = "  ";

  @Override
  public String convert(ILoggingEvent event) {
    return super.convert(event)
        .lines()
        .map(line -> INDENT + LogText.line(line.replace("\t", INDENT)) + System.lineSeparator())
        .collect(Collectors.joining());
  }
}
