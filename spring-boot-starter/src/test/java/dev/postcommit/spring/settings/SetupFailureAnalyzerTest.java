package dev.postcommit.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.settings.SettingException;
import org.junit.jupiter.api.Test;

/** How an application that cannot start says why. */
class SetupFailureAnalyzerTest {

  @Test
  void anAnalyzerShowsWhatToDo() {
    var analysis =
        new SetupFailureAnalyzer()
            .analyze(
                new IllegalStateException(
                    new SetupException("there is no table t", "set postcommit.migrate=true")));

    assertThat(analysis.getDescription()).isEqualTo("There is no table t.");
    assertThat(analysis.getAction()).isEqualTo("Set postcommit.migrate=true.");
  }

  @Test
  void anAnalyzerShowsASettingThatIsInvalid() {
    var analysis =
        new SettingFailureAnalyzer()
            .analyze(
                new IllegalStateException(new SettingException("postcommit.lease: 'x' is not y")));

    assertThat(analysis.getDescription()).contains("postcommit.lease: 'x' is not y.");
  }
}
