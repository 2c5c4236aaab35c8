package dev.postcommit.settings;

import dev.postcommit.layout.Layout;
import java.util.Optional;

/**
 * The values that a user gave for settings, from wherever the process reads them. Messages name
 * each setting as the user wrote it: an option, a variable or a property.
 */
public abstract class SettingValues {

  /**
   * A text that was given.
   *
   * @param text the text
   * @param name the name it was given by
   * @param place where that name is, as in " in orders.properties"; empty if the name says it
   */
  public record Given(String text, String name, String place) {

    /**
     * The value that the text stands for.
     *
     * @throws SettingException if the text is invalid
     */
    public <T> T read(Setting<T> setting) {
      try {
        return setting.reader().read(text);
      } catch (IllegalArgumentException e) {
        throw new SettingException(
            "%s: %s %s"
                .formatted(
                    name + place,
                    setting.isSecret() ? "the value" : "'" + text + "'",
                    e.getMessage()));
      }
    }
  }

  /** Creates an empty set of values. */
  protected SettingValues() {}

  /** What was given for a setting; an empty text counts as nothing. */
  protected abstract Optional<Given> given(Setting<?> setting);

  /** What counts if nothing was given, before any default. */
  protected Optional<Given> fallback(Setting<?> setting) {
    return Optional.empty();
  }

  /** The name of a setting that was not given. */
  protected abstract String nameOf(Setting<?> setting);

  /** How to give a setting, as the end of a sentence. */
  public abstract String howToSet(Setting<?> setting);

  /** How to give a setting a certain value, as the end of a sentence. */
  public String howToSet(Setting<?> setting, String value) {
    String name = given(setting).map(Given::name).orElse(setting.property());
    return "set " + name + (name.startsWith("-") ? " " : "=") + value;
  }

  /** Whether a value was given; a default does not count. */
  public final boolean isGiven(Setting<?> setting) {
    return given(setting).isPresent();
  }

  /** The name by which a setting was given, or could be. */
  public final String name(Setting<?> setting) {
    return given(setting).map(g -> g.name() + g.place()).orElseGet(() -> nameOf(setting));
  }

  /**
   * The value given, or else the default if there is one.
   *
   * @throws SettingException if the value is invalid
   */
  public final <T> Optional<T> find(Setting<T> setting) {
    return chosen(setting)
        .or(() -> Optional.ofNullable(setting.defaultText()).map(setting.reader()::read));
  }

  /**
   * The value given, or else the layout's, or else the default if there is one.
   *
   * @throws SettingException if the value is invalid
   */
  public final <T> Optional<T> find(Setting<T> setting, Layout layout) {
    return chosen(setting).or(() -> implied(setting, layout)).or(() -> find(setting));
  }

  private static <T> Optional<T> implied(Setting<T> setting, Layout layout) {
    String name = "setting.%s of the %s layout".formatted(setting.name(), layout.name());
    return Optional.ofNullable(layout.settings().defaults().get(setting.name()))
        .map(text -> new Given(text, name, "").read(setting));
  }

  /**
   * The value given, or else the default.
   *
   * @throws SettingException if there is neither, or the value is invalid
   */
  public final <T> T get(Setting<T> setting) {
    return find(setting)
        .orElseThrow(
            () -> new SettingException(name(setting) + " is not set; " + howToSet(setting)));
  }

  private <T> Optional<T> chosen(Setting<T> setting) {
    return given(setting).or(() -> fallback(setting)).map(given -> given.read(setting));
  }

  /**
   * Refuses a setting that is without effect.
   *
   * @param why why it is, after "and"
   * @throws SettingException if it was given
   */
  public final void refuse(Setting<?> setting, String why) {
    refuse(setting, why, "");
  }

  /**
   * Refuses a setting that is without effect unless another one has a certain value.
   *
   * @param why why it is, after "and"
   * @throws SettingException if it was given
   */
  public final void refuse(Setting<?> setting, String why, Setting<?> other, String value) {
    refuse(setting, why, ", or " + howToSet(other, value));
  }

  private void refuse(Setting<?> setting, String why, String instead) {
    given(setting)
        .ifPresent(
            given -> {
              throw new SettingException(
                  "%s is %s, and %s; leave %1$s out%s"
                      .formatted(name(setting), shown(setting, given), why, instead));
            });
  }

  private static String shown(Setting<?> setting, Given given) {
    return setting.isSecret() ? "given" : "'" + given.text() + "'";
  }

  /** The value of a setting was refused by what it configures. */
  final SettingException invalid(Setting<?> setting, Exception reason) {
    return new SettingException(name(setting) + ": " + reason.getMessage());
  }
}
