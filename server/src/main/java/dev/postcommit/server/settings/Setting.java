package dev.postcommit.server.settings;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One setting: what it is called, what it means, and how its text is read.
 *
 * @param group what it is about
 * @param name its name; the flag, the variable and the property follow from it
 * @param label stands for the value in help
 * @param description what it is and which special values it has
 * @param defaultText the value if none is given, or null if there is none
 * @param reader turns text into a value
 * @param traits what else is to be known
 */
public record Setting<T>(
    Group group,
    String name,
    String label,
    String description,
    @Nullable String defaultText,
    Reader<T> reader,
    Traits traits) {

  /** What every variable's name begins with. */
  public static final String VARIABLE_PREFIX = "POSTCOMMIT_";

  /** What every property's name begins with. */
  public static final String PROPERTY_PREFIX = "postcommit.";

  /** Turns the text of a setting into its value. */
  @FunctionalInterface
  public interface Reader<T> {
    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException saying what a good value looks like
     */
    T read(String text);

    /** What the values are to tools that complete and check files of settings. */
    default Class<?> type() {
      return String.class;
    }

    /** All values there are, if they can be listed. */
    default List<String> choices() {
      return List.of();
    }
  }

  /** What a setting is about. */
  public enum Group {
    /** Where events come from. */
    DATABASE("Database and table"),
    /** What is sent. */
    MESSAGES("Messages"),
    /** Where events go. */
    BROKER("Broker"),
    /** How a relay works. */
    RELAY("Relay"),
    /** What all relays of a process share. */
    PROCESS("Process");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    /** Its name for people. */
    public String title() {
      return title;
    }
  }

  /** How a setting differs from an ordinary one. */
  public enum Traits {
    /** One value, which may be shown. */
    PLAIN,
    /** One value, which is or holds a secret, and so is never shown as it is. */
    SECRET,
    /** Any number of values, one in a line or a flag each, which are never shown. */
    REPEATABLE_SECRET
  }

  static <T> Setting<T> of(
      Group group,
      String name,
      String label,
      @Nullable String defaultText,
      Reader<T> reader,
      String description) {
    return new Setting<>(group, name, label, description, defaultText, reader, Traits.PLAIN);
  }

  Setting<T> with(Traits other) {
    return new Setting<>(group, name, label, description, defaultText, reader, other);
  }

  /** The flag of the command line. */
  public String flag() {
    return "--" + name;
  }

  /** The variable of the environment. */
  public String variable() {
    return VARIABLE_PREFIX + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** The key in a file. */
  public String property() {
    return PROPERTY_PREFIX + name.replace('-', '.');
  }

  /** What to do to give it a value, as the end of a sentence. */
  public String howToSet() {
    return "give %s, set %s, or put %s into a file".formatted(flag(), variable(), property());
  }

  /** A constant as it is written in a setting. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the flag may be given more than once. */
  public boolean isRepeatable() {
    return traits == Traits.REPEATABLE_SECRET;
  }

  /** Whether the value is never shown as it is. */
  public boolean isSecret() {
    return traits != Traits.PLAIN;
  }
}
