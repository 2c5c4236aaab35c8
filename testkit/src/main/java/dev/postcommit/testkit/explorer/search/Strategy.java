package dev.postcommit.testkit.explorer.search;

import java.util.List;

/** Chooses the next step of a run. */
public interface Strategy {

  /** Returned by {@link #choose} to end a run that is equivalent to another one. */
  int STOP = -1;

  /**
   * Returns the index of the step to run next, or {@link #STOP}.
   *
   * @param ready the steps that can run, by ascending numbers of their actors; never empty
   * @param last the actor that ran last, or -1
   */
  int choose(List<Step> ready, int last);

  /**
   * Receives what the chosen step actually touched: more than announced if it had to wait, or if it
   * released an actor that waited.
   */
  default void ran(Step step, Footprint actual) {}

  /** Returns the index of the last actor's step, or else the first. */
  static int straightOn(List<Step> ready, int last) {
    for (int i = 0; i < ready.size(); i++) {
      if (ready.get(i).actor() == last) {
        return i;
      }
    }
    return 0;
  }
}
