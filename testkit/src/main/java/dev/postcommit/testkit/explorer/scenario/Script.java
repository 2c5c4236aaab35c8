package dev.postcommit.testkit.explorer.scenario;

/** The code of an actor. */
@FunctionalInterface
public interface Script {

  /** Runs the actor. An exception fails the run. */
  void play() throws Exception;
}
