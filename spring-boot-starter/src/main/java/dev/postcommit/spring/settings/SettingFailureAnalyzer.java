package dev.postcommit.spring.settings;

import dev.postcommit.settings.SettingException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a {@link SettingException}, which says what to do, without its stack trace. */
final class SettingFailureAnalyzer extends AbstractFailureAnalyzer<SettingException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, SettingException cause) {
    return new FailureAnalysis(
        "A setting of Postcommit is invalid: " + cause.getMessage() + ".",
        "Change the setting; docs/configuration.md describes it.",
        cause);
  }
}
