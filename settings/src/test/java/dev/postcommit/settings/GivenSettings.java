package dev.postcommit.settings;

import java.util.Map;
import java.util.Optional;

/** Values by the names of settings. */
final class GivenSettings extends SettingValues {
  private final Map<String, String> texts;

  GivenSettings(Map<String, String> texts) {
    this.texts = texts;
  }

  @Override
  protected Optional<Given> given(Setting<?> setting) {
    return Optional.ofNullable(texts.get(setting.name()))
        .map(text -> new Given(text, setting.variable(), ""));
  }

  @Override
  protected String nameOf(Setting<?> setting) {
    return setting.property();
  }

  @Override
  public String howToSet(Setting<?> setting) {
    return "set " + setting.property();
  }
}
