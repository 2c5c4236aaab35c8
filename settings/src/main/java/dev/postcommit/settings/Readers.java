package dev.postcommit.settings;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Standbys;
import dev.postcommit.settings.Setting.Reader;
import dev.postcommit.support.ByteText;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.Suggestion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Parses and checks the texts of settings. */
public final class Readers {
  private static final List<String> YES = List.of("true", "on", "yes", "1");
  private static final List<String> NO = List.of("false", "off", "no", "0");

  private Readers() {}

  public static Reader<String> text() {
    return text -> text;
  }

  public static Reader<String> filled() {
    return text -> {
      if (text.isBlank()) {
        throw new IllegalArgumentException("is blank; write a name, or leave it out");
      }
      return text;
    };
  }

  public static Reader<Path> path() {
    return typed(Path.class, Path::of);
  }

  public static Reader<Integer> integer(int least, int most) {
    return typed(
        Integer.class,
        text -> {
          int value = parse(text, least, most);
          if (value < least || value > most) {
            throw outOf(least, most);
          }
          return value;
        });
  }

  /** {@code true} or {@code false}, or another word for it that Spring accepts. */
  public static Reader<Boolean> flag() {
    return typed(
        Boolean.class,
        text -> {
          String word = text.toLowerCase(Locale.ROOT);
          if (!YES.contains(word) && !NO.contains(word)) {
            throw new IllegalArgumentException("is not true or false");
          }
          return YES.contains(word);
        });
  }

  /** Names between commas. */
  public static Reader<List<String>> names() {
    return typed(
        List.class,
        text -> {
          List<String> names = list(text);
          if (names.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("has a name that is blank");
          }
          return names;
        });
  }

  /** Names of standbys. */
  public static Reader<List<String>> standbys() {
    return typed(
        List.class,
        text -> {
          List<String> names = list(text);
          try {
            return List.copyOf(new Standbys(1, new LinkedHashSet<>(names)).names());
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is not a list of standbys: " + e.getMessage(), e);
          }
        });
  }

  /** The parts of a text between commas. */
  public static List<String> list(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
  }

  public static Reader<Integer> attempts() {
    Reader<Integer> number = integer(1, RetryPolicy.UNLIMITED);
    return text -> text.equals("unlimited") ? RetryPolicy.UNLIMITED : number.read(text);
  }

  public static Reader<Long> bytes() {
    return ByteText::read;
  }

  public static Reader<Duration> duration(Duration least) {
    return typed(
        Duration.class,
        text -> {
          Duration value = DurationText.read(text);
          if (value.compareTo(least) < 0) {
            throw new IllegalArgumentException("is shorter than " + DurationText.show(least));
          }
          return value;
        });
  }

  /** A duration of any length, where {@code off} and {@code 0} are zero. */
  public static Reader<Duration> durationOrOff() {
    Reader<Duration> duration = durationOrOff(Duration.ZERO);
    return text -> text.equals("0") ? Duration.ZERO : duration.read(text);
  }

  /** A duration of at least {@code least}, where {@code off} is zero. */
  public static Reader<Duration> durationOrOff(Duration least) {
    Reader<Duration> duration = duration(least);
    return text -> {
      try {
        return text.equals("off") ? Duration.ZERO : duration.read(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(e.getMessage() + "; 'off' is for ever", e);
      }
    };
  }

  /** One of the constants of an enum, by its {@linkplain Setting#word word}. */
  public static <E extends Enum<E>> Reader<E> choice(Class<E> type) {
    Map<String, E> choices = new LinkedHashMap<>();
    for (E constant : type.getEnumConstants()) {
      choices.put(Setting.word(constant), constant);
    }
    return choice(choices);
  }

  public static Reader<String> choice(List<String> texts) {
    Map<String, String> choices = new LinkedHashMap<>();
    texts.forEach(text -> choices.put(text, text));
    return choice(choices);
  }

  private static <T> Reader<T> choice(Map<String, T> choices) {
    List<String> words = List.copyOf(choices.keySet());
    return new Reader<>() {
      @Override
      public T read(String text) {
        @Nullable T constant = choices.get(text);
        if (constant == null) {
          throw new IllegalArgumentException(
              "is not one of " + String.join(", ", words) + Suggestion.didYouMean(text, words));
        }
        return constant;
      }

      @Override
      public List<String> choices() {
        return words;
      }
    };
  }

  public static Reader<TableName> table() {
    return text -> {
      try {
        return TableName.of(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "is not a table name; write table or schema.table with letters, digits and _", e);
      }
    };
  }

  public static Reader<UUID> uuid() {
    return typed(
        UUID.class,
        text -> {
          try {
            return UUID.fromString(text);
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is not a UUID", e);
          }
        });
  }

  /** Lines of {@code name=value}. */
  public static Reader<Map<String, String>> pairs() {
    return typed(
        Map.class,
        text -> {
          Map<String, String> pairs = new LinkedHashMap<>();
          for (String line : text.lines().filter(l -> !l.isBlank()).toList()) {
            int equals = line.indexOf('=');
            if (equals < 1) {
              throw new IllegalArgumentException("is not name=value");
            }
            pairs.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
          }
          return pairs;
        });
  }

  /** A reader of values that editors check against a type. */
  public static <T> Reader<T> typed(Class<?> type, Reader<T> reader) {
    return new Reader<>() {
      @Override
      public T read(String text) {
        return reader.read(text);
      }

      @Override
      public Class<?> type() {
        return type;
      }
    };
  }

  private static int parse(String text, int least, int most) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw outOf(least, most);
    }
  }

  private static IllegalArgumentException outOf(int least, int most) {
    return new IllegalArgumentException(
        most == Integer.MAX_VALUE
            ? "is not a whole number of at least " + least
            : "is not a whole number from " + least + " to " + most);
  }
}
