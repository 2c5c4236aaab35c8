package dev.postcommit.server.settings;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Standbys;
import dev.postcommit.server.settings.ProcessSettings.LogLevel;
import dev.postcommit.server.settings.Setting.Reader;
import dev.postcommit.support.ByteText;
import dev.postcommit.support.Suggestion;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;

/**
 * How the texts of settings are read; each refusal completes a sentence that begins with the value.
 */
final class Readers {
  private static final String HOST = "(\\[[^\\]/]*\\]|[^:/,?]*)(:\\d{1,5})?";
  private static final Pattern JDBC_URL =
      Pattern.compile("jdbc:postgresql:((?!//).*|//" + HOST + "(," + HOST + ")*([/?].*)?)");

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final int SHORTEST_SECRET = 16;

  private Readers() {}

  static Reader<String> text() {
    return text -> text;
  }

  static Reader<String> filled() {
    return text -> {
      if (text.isBlank()) {
        throw new IllegalArgumentException("is blank; write a name, or leave it out");
      }
      return text;
    };
  }

  static Reader<Path> path() {
    return typed(Path.class, Path::of);
  }

  /** An address that the driver understands; one with a user before the host is none. */
  static Reader<String> jdbcUrl() {
    return text -> {
      if (text.matches("jdbc:postgresql://[^/?]*@.*")) {
        throw new IllegalArgumentException(
            "has a user before the host; leave that out, and give database-user and"
                + " database-password");
      }
      if (!JDBC_URL.matcher(text).matches() || !isUnderstood(text)) {
        throw new IllegalArgumentException(
            "is not a Postgres address; write jdbc:postgresql://host:5432/database");
      }
      return text;
    };
  }

  private static boolean isUnderstood(String url) {
    try {
      return DriverManager.getDriver(url) != null;
    } catch (SQLException e) {
      return false;
    }
  }

  static Reader<Integer> integer(int least, int most) {
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

  /** A port, where {@code off} is none. */
  static Reader<Integer> port(int highest) {
    return text -> {
      if (text.equals("off")) {
        return ProcessSettings.OFF;
      }
      try {
        return integer(0, highest).read(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("is not a port from 0 to " + highest + ", nor 'off'", e);
      }
    };
  }

  /** Names of relays, which are parts of properties and variables. */
  static Reader<List<String>> names() {
    return text -> {
      List<String> names = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
      for (String name : names) {
        if (!NAME.matcher(name).matches()) {
          throw new IllegalArgumentException(
              "is not a list of names; write small letters, digits and - as orders,billing-2");
        }
      }
      if (Set.copyOf(names).size() < names.size()) {
        throw new IllegalArgumentException("names a relay twice");
      }
      return names;
    };
  }

  /** Names of standbys. */
  static Reader<List<String>> standbys() {
    return text -> {
      List<String> names = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
      try {
        return List.copyOf(new Standbys(1, new LinkedHashSet<>(names)).names());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("is not a list of standbys: " + e.getMessage(), e);
      }
    };
  }

  static Reader<String> secret() {
    return text -> {
      if (text.length() < SHORTEST_SECRET) {
        throw new IllegalArgumentException(
            "is shorter than " + SHORTEST_SECRET + " characters; try 'openssl rand -hex 32'");
      }
      return text;
    };
  }

  static Reader<String> httpUrl() {
    return text -> {
      if (!text.matches("https?://[^/\\s]+.*")) {
        throw new IllegalArgumentException("is not a URL; write http://host:4318");
      }
      return text;
    };
  }

  static Reader<Integer> attempts() {
    Reader<Integer> number = integer(1, RetryPolicy.UNLIMITED);
    return text -> text.equals("unlimited") ? RetryPolicy.UNLIMITED : number.read(text);
  }

  static Reader<Long> bytes() {
    return ByteText::read;
  }

  static Reader<Duration> duration(Duration least) {
    return typed(
        Duration.class,
        text -> {
          Duration value = Durations.read(text);
          if (value.compareTo(least) < 0) {
            throw new IllegalArgumentException("is shorter than " + Durations.show(least));
          }
          return value;
        });
  }

  /** A duration, where {@code 0} and {@code off} are zero. */
  static Reader<Duration> durationOrOff() {
    Reader<Duration> duration = duration(Duration.ZERO);
    return text -> text.equals("off") || text.equals("0") ? Duration.ZERO : duration.read(text);
  }

  /** A duration of at least {@code least}, where {@code off} is zero. */
  static Reader<Duration> durationOrOff(Duration least) {
    Reader<Duration> duration = duration(least);
    return text -> {
      try {
        return text.equals("off") ? Duration.ZERO : duration.read(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(e.getMessage() + "; 'off' is for ever", e);
      }
    };
  }

  static <E extends Enum<E>> Reader<E> choice(Class<E> type) {
    Map<String, E> choices = new LinkedHashMap<>();
    for (E constant : type.getEnumConstants()) {
      choices.put(Setting.word(constant), constant);
    }
    return choice(choices);
  }

  /** One of these texts. */
  static Reader<String> choice(List<String> texts) {
    Map<String, String> choices = new LinkedHashMap<>();
    texts.forEach(text -> choices.put(text, text));
    return choice(choices);
  }

  private static <T> Reader<T> choice(Map<String, T> choices) {
    List<String> words = List.copyOf(choices.keySet());
    return new Reader<>() {
      @Override
      public T read(String text) {
        T constant = choices.get(text);
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

  static Reader<TableName> table() {
    return text -> {
      try {
        return TableName.of(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "is not a table name; write table or schema.table with letters, digits and _", e);
      }
    };
  }

  static Reader<UUID> uuid() {
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

  /** Levels, each of a logger, or of all others. */
  static Reader<Map<String, LogLevel>> levels() {
    Reader<LogLevel> level = choice(LogLevel.class);
    return text -> {
      Map<String, LogLevel> levels = new LinkedHashMap<>();
      for (String part : text.split(",", -1)) {
        int equals = part.indexOf('=');
        String logger = equals < 0 ? Logger.ROOT_LOGGER_NAME : part.substring(0, equals).strip();
        String word = part.substring(equals + 1).strip();
        try {
          if (logger.isEmpty() || levels.put(logger, level.read(word)) != null) {
            throw new IllegalArgumentException("names no logger, or one twice");
          }
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "is not a list of levels as info,dev.postcommit=debug: '%s' %s"
                  .formatted(part.strip(), e.getMessage()),
              e);
        }
      }
      return levels;
    };
  }

  /** Lines of {@code name=value}. */
  static Reader<Map<String, String>> pairs() {
    return text -> {
      Map<String, String> pairs = new LinkedHashMap<>();
      for (String line : text.lines().filter(l -> !l.isBlank()).toList()) {
        int equals = line.indexOf('=');
        if (equals < 1) {
          throw new IllegalArgumentException("is not name=value");
        }
        pairs.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
      }
      return pairs;
    };
  }

  private static <T> Reader<T> typed(Class<?> type, Reader<T> reader) {
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
