package dev.postcommit.settings;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The definition of one setting. Its option, variable and property follow from the name.
 *
 * @param group what it is about
 * @param name its name, in words joined by dashes
 * @param label stands for the value in help
 * @param description what it means, with its special values
 * @param defaultText the value if none is given, or null if there is none
 * @param reader parses and checks a value
 * @param isSecret whether values are or contain secrets, and so are never shown
 */
public record Setting<T>(
    Group group,
    String name,
    String label,
    String description,
    @Nullable String defaultText,
    Reader<T> reader,
    boolean isSecret) {

  /** The prefix of all environment variables. */
  public static final String VARIABLE_PREFIX = "POSTCOMMIT_";

  /** The prefix of all properties. */
  public static final String PROPERTY_PREFIX = "postcommit.";

  /** Groups of properties: their names go on with a dot where others have a dash. */
  private static final List<String> GROUPS =
      List.of("consumer-", "kafka-", "outbox-", "pubsub-", "relay-");

  /** Parses the text of a setting. */
  @FunctionalInterface
  public interface Reader<T> {
    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException whose message completes a sentence that begins with the
     *     value, such as "is not a UUID"
     */
    T read(String text);

    /** The type that editors check values against. */
    default Class<?> type() {
      return String.class;
    }

    /** Every possible value, if they can be listed. */
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
    /** What receives events. */
    CONSUMER("Consumer"),
    /** What all relays of a process share. */
    PROCESS("Process");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    /** The heading of the group's settings in the documentation. */
    public String title() {
      return title;
    }

    /** A setting of this group without a default. */
    public <T> Setting<T> setting(String name, String label, Reader<T> reader, String description) {
      return setting(name, label, null, reader, description);
    }

    /** A setting of this group. */
    public <T> Setting<T> setting(
        String name,
        String label,
        @Nullable String defaultText,
        Reader<T> reader,
        String description) {
      return new Setting<>(this, name, label, description, defaultText, reader, false);
    }
  }

  /** This setting with a default. */
  public Setting<T> withDefault(@Nullable String text) {
    return new Setting<>(group, name, label, description, text, reader, isSecret);
  }

  /** This setting with another description. */
  public Setting<T> withDescription(String text) {
    return new Setting<>(group, name, label, text, defaultText, reader, isSecret);
  }

  /** This setting with values that are never shown. */
  public Setting<T> secret() {
    return new Setting<>(group, name, label, description, defaultText, reader, true);
  }

  /** The command-line option, such as {@code --batch-size}. */
  public String flag() {
    return "--" + name;
  }

  /** The environment variable, such as {@code POSTCOMMIT_BATCH_SIZE}. */
  public String variable() {
    return VARIABLE_PREFIX + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** The property, such as {@code postcommit.batch-size}. */
  public String property() {
    boolean grouped = GROUPS.stream().anyMatch(name::startsWith);
    return PROPERTY_PREFIX + (grouped ? name.replaceFirst("-", ".") : name);
  }

  /** A constant as it is written in a setting. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the option may be repeated. */
  public boolean isRepeatable() {
    return reader.type() == Map.class;
  }
}
