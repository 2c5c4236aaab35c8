package dev.postcommit.micrometer;

import dev.postcommit.layout.Layout;
import io.micrometer.core.instrument.Tags;
import java.util.regex.Pattern;

/** Tags made of names that users chose. */
final class TagValues {
  private static final int LONGEST = 120;
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cs}]");

  private TagValues() {}

  /** The tags of every metric of a table. */
  static Tags of(Layout layout) {
    return Tags.of("layout", clean(layout.name()), "table", clean(layout.table().toString()));
  }

  /** Removes control characters and limits the length; returns {@code none} for a blank name. */
  static String clean(String name) {
    String printable = UNPRINTABLE.matcher(name).replaceAll("_").strip();
    if (printable.isEmpty()) {
      return "none";
    }
    return printable.length() <= LONGEST ? printable : printable.substring(0, LONGEST);
  }
}
