package dev.postcommit.micrometer;

import dev.postcommit.layout.Layout;
import io.micrometer.core.instrument.Tags;
import java.util.regex.Pattern;

/** Makes tags of names that others chose. */
final class TagValues {
  private static final int LONGEST = 120;
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cs}]");

  private TagValues() {}

  /** The tags that every metric of a table has. */
  static Tags of(Layout layout) {
    return Tags.of("layout", clean(layout.name()), "table", clean(layout.table().toString()));
  }

  /** A name without control characters and of bounded length; {@code none} if it is blank. */
  static String clean(String name) {
    String printable = UNPRINTABLE.matcher(name).replaceAll("_").strip();
    if (printable.isEmpty()) {
      return "none";
    }
    return printable.length() <= LONGEST ? printable : printable.substring(0, LONGEST);
  }
}
