package dev.postcommit.relay;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The physical standbys that must have an event on disk before a relay sends it, so that no
 * failover to one of them loses the transaction of an event that was delivered.
 *
 * @param count how many of the named standbys must have it, from 1 to the number of names
 * @param names their names, which are the {@code application_name} of their connections to the
 *     primary; upper and lower case are the same
 */
public record Standbys(int count, Set<String> names) {
  private static final Pattern NAME = Pattern.compile("[\\x20-\\x7e&&[^,]]{1,63}");

  /** Refuses a count out of range and a name that Postgres would not keep as it is. */
  public Standbys {
    Set<String> lower = new LinkedHashSet<>();
    for (String name : names) {
      if (!NAME.matcher(name).matches() || !name.strip().equals(name)) {
        throw new IllegalArgumentException(
            "'%s' is not a name of a standby; write up to 63 printable ASCII characters, without commas"
                .formatted(name));
      }
      if (!lower.add(name.toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException("the standby " + name + " is named twice");
      }
    }
    names = Collections.unmodifiableSet(lower);
    if (count < 1 || count > names.size()) {
      throw new IllegalArgumentException(
          "waitForStandbys must be from 1 to the number of names, which is %d, not %d"
              .formatted(names.size(), count));
    }
  }

  /** As in {@code 1 of replica1, replica2}. */
  @Override
  public String toString() {
    return count + " of " + String.join(", ", names);
  }
}
