package dev.postcommit.spring;

import dev.postcommit.PostcommitException;

/** The application cannot start as it is set up; says why, and what to do. */
final class SetupException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String action;

  SetupException(String problem, String action) {
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
