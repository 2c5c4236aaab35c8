package dev.postcommit.spring.settings;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a {@link SetupException} without its stack trace. */
final class SetupFailureAnalyzer extends AbstractFailureAnalyzer<SetupException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, SetupException cause) {
    return new FailureAnalysis(sentence(cause.problem()), sentence(cause.action()), cause);
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }
}
