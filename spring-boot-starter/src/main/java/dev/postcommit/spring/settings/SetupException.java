package dev.postcommit.spring.settings;

import dev.postcommit.PostcommitException;

/** The application cannot start because of how it is set up. */
public final class SetupException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String action;

  /**
   * An exception for people.
   *
   * @param problem what is wrong
   * @param action what to do
   */
  public SetupException(String problem, String action) {
    super(problem + "; " + action);
    this.problem = problem;
    this.action = action;
  }

  String problem() {
    return problem;
  }

  String action() {
    return action;
  }
}
