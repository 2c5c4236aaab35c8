package dev.postcommit.layout;

import dev.postcommit.layout.LayoutSettings.Variable;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The part of a layout file that is about the settings of relays. */
final class LayoutSettingsText {
  static final String REQUIRED = "required";

  private static final String SETTING = "setting.";
  private static final String VARIABLE = "variable.";
  private static final String MAX_ATTEMPTS = "max-attempts";
  private static final Pattern VARIABLE_VALUE =
      Pattern.compile("(\\w+)(?:\\s+(\\S*\\{}\\S*))?(?:\\s+(\\d{1,9})\\.\\.(\\d{1,9}))?");

  private LayoutSettingsText() {}

  /** All keys there may be. */
  static List<String> keys() {
    List<String> keys = new ArrayList<>(List.of(VARIABLE + MAX_ATTEMPTS));
    LayoutSettings.NAMES.forEach(name -> keys.addAll(List.of(SETTING + name, VARIABLE + name)));
    return keys;
  }

  static LayoutSettings read(LayoutText text) {
    Map<String, String> defaults = new HashMap<>();
    List<Variable> variables = new ArrayList<>();
    for (String key : text.keys()) {
      if (key.startsWith(SETTING)) {
        defaults.put(key.substring(SETTING.length()), setting(text, key));
      } else if (key.startsWith(VARIABLE)) {
        variables.add(variable(text, key));
      }
    }
    return new LayoutSettings(
        defaults, text.value("retry." + MAX_ATTEMPTS, REQUIRED::equals, false), variables);
  }

  /** Checks what it can; envelopes and routes are known elsewhere. */
  private static String setting(LayoutText text, String key) {
    switch (key.substring(SETTING.length())) {
      case "batch-size" -> text.value(key, LayoutSettingsText::count, 0);
      case "poll-interval" -> text.value(key, DurationText::read, Duration.ZERO);
      default -> {}
    }
    return text.required(key);
  }

  private static int count(String text) {
    try {
      return Integer.parseUnsignedInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("is not a whole number", e);
    }
  }

  private static Variable variable(LayoutText text, String key) {
    String value = text.required(key);
    Matcher parts = VARIABLE_VALUE.matcher(value);
    if (!parts.matches()) {
      throw text.mistake(
          key,
          "%s: '%s' is not a variable; write for example %1$s = NAME, or %1$s = NAME {}ms 1..1000"
              .formatted(key, value));
    }
    @Nullable String form = parts.group(2);
    return new Variable(
        parts.group(1),
        key.substring(VARIABLE.length()),
        form == null ? Variable.SAME : form,
        Stream.of(parts.group(3), parts.group(4))
            .filter(Objects::nonNull)
            .map(Integer::valueOf)
            .toList());
  }
}
