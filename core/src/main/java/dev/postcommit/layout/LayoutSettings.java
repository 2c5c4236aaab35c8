package dev.postcommit.layout;

import java.util.List;
import java.util.Map;

/**
 * What a layout says about the settings of its relays. The server and the Spring Boot starter go by
 * it.
 *
 * @param defaults the values of settings that are not given, by their names and as in a settings
 *     file; only those in {@link #NAMES}
 * @param requiresMaxAttempts whether {@code max-attempts} must be given
 * @param variables environment variables of the system that the table belongs to
 */
public record LayoutSettings(
    Map<String, String> defaults, boolean requiresMaxAttempts, List<Variable> variables) {

  /** The settings a layout may have a default for. */
  public static final List<String> NAMES =
      List.of("envelope", "route", "batch-size", "poll-interval");

  /** Nothing in particular. */
  public static final LayoutSettings NONE = new LayoutSettings(Map.of(), false, List.of());

  /** Keeps copies, and refuses a default for another setting. */
  public LayoutSettings {
    defaults = Map.copyOf(defaults);
    variables = List.copyOf(variables);
    for (String name : defaults.keySet()) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "a layout has no default for '%s', only for %s"
                .formatted(name, String.join(", ", NAMES)));
      }
    }
  }

  /** The default of a setting, or {@code otherwise} if the layout has none. */
  public String value(String setting, String otherwise) {
    return defaults.getOrDefault(setting, otherwise);
  }

  /**
   * An environment variable that stands for a setting.
   *
   * @param name the variable
   * @param setting the name of the setting
   * @param form the setting's value, in which {@code {}} is the variable's
   * @param range the least and the most whole number that the variable may be; empty if it may be
   *     anything
   */
  public record Variable(String name, String setting, String form, List<Integer> range) {

    /** The form of a variable whose value is the setting's. */
    public static final String SAME = "{}";

    /** Keeps its own copy of the range. */
    public Variable {
      range = List.copyOf(range);
    }

    /**
     * The setting's value for a value of the variable.
     *
     * @throws IllegalArgumentException if the variable's value is out of range
     */
    public String settingValue(String value) {
      String number = value.strip();
      if (!range.isEmpty()
          && !(number.matches("\\d{1,9}")
              && Integer.parseInt(number) >= range.get(0)
              && Integer.parseInt(number) <= range.get(1))) {
        throw new IllegalArgumentException(
            "is not a whole number from %d to %d".formatted(range.get(0), range.get(1)));
      }
      return form.replace(SAME, range.isEmpty() ? value : number);
    }
  }
}
