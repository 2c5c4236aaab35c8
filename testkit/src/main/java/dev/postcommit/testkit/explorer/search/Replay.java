package dev.postcommit.testkit.explorer.search;

import java.util.List;

/** Follows a schedule. */
public final class Replay implements Strategy {
  private final List<Integer> actors;
  private final boolean isStrict;
  private int position;

  /**
   * Creates a strategy from a schedule.
   *
   * @param actors the actors in order; after the last one, the same actor continues as long as it
   *     can, and then the first
   * @param isStrict whether the schedule must be possible; otherwise actors that cannot continue
   *     are skipped
   */
  public Replay(List<Integer> actors, boolean isStrict) {
    this.actors = List.copyOf(actors);
    this.isStrict = isStrict;
  }

  @Override
  public int choose(List<Step> ready, int last) {
    while (position < actors.size()) {
      int actor = actors.get(position++);
      for (int i = 0; i < ready.size(); i++) {
        if (ready.get(i).actor() == actor) {
          return i;
        }
      }
      if (isStrict) {
        throw new DivergedException(
            "actor %d was to make step %d, and these were ready: %s"
                .formatted(actor, position, ready));
      }
    }
    return Strategy.straightOn(ready, last);
  }
}
