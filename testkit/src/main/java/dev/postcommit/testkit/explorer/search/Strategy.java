package dev.postcommit.testkit.explorer.search;

import java.util.List;

/** Decides who goes next. */
public interface Strategy {

  /** Returned by {@link #choose} to end the run: another run is, or was, equivalent to it. */
  int STOP = -1;

  /**
   * The index of the step to run next, or {@link #STOP}.
   *
   * @param ready the steps that can run, by ascending numbers of their actors; never empty
   * @param last the actor that ran last, or -1
   */
  int choose(List<Step> ready, int last);

  /**
   * Tells what the chosen step turned out to touch: more than it announced if it had to wait, or if
   * it released somebody who waited.
   */
  default void ran(Step step, Footprint actual) {}

  /** The index of the step that goes on with the last actor, else the first. */
  static int straightOn(List<Step> ready, int last) {
    for (int i = 0; i < ready.size(); i++) {
      if (ready.get(i).actor() == last) {
        return i;
      }
    }
    return 0;
  }
}
