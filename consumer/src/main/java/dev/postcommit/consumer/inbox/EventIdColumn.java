package dev.postcommit.consumer.inbox;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The event ids that a column can hold.
 *
 * @param kind what an id is to the database
 * @param type the column's type, as SQL spells it
 * @param length the most characters the column holds, or 0 if there is no limit
 */
record EventIdColumn(Kind kind, String type, int length) {

  /** What an event id is to the database. */
  enum Kind {
    UUID,
    TEXT,
    NUMBER
  }

  /** The longest id in bytes; an index entry has a little more room. */
  private static final int MOST_BYTES = 2_000;

  private static final Pattern UUID_TEXT =
      Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Pattern NUMBER_TEXT = Pattern.compile("-?[0-9]{1,18}");

  /** Why the column cannot hold an id, or null if it can. */
  @Nullable String problem(String id) {
    if (id.isBlank()) {
      return "the event id is blank";
    }
    return switch (kind) {
      case UUID -> UUID_TEXT.matcher(id).matches() ? null : misfit(id, "is not a UUID");
      case NUMBER -> NUMBER_TEXT.matcher(id).matches() ? null : misfit(id, "is not a number");
      case TEXT -> textProblem(id);
    };
  }

  /** The id as the database writes it, so that equal ids are equal texts. */
  String canonical(String id) {
    return switch (kind) {
      case UUID -> id.toLowerCase(Locale.ROOT);
      case NUMBER -> Long.toString(Long.parseLong(id));
      case TEXT -> id;
    };
  }

  /** Why an id has no encoding in UTF-8, or null if it has. */
  static @Nullable String unicodeProblem(String id) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(id)
        ? null
        : "the event id is not valid Unicode: half a surrogate pair";
  }

  private @Nullable String textProblem(String id) {
    if (id.indexOf('\0') >= 0) {
      return "the event id holds the character U+0000, which Postgres cannot store";
    }
    @Nullable String unicode = unicodeProblem(id);
    if (unicode != null) {
      return unicode;
    }
    if (length > 0 && id.codePointCount(0, id.length()) > length) {
      return misfit(id, "is too long");
    }
    return id.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES
        ? "the event id is longer than " + MOST_BYTES + " bytes"
        : null;
  }

  private String misfit(String id, String what) {
    return "the event id '%s' %s, and the column event_id holds %s".formatted(id, what, type);
  }
}
