package dev.postcommit.testkit.explorer.scenario;

/** What an actor does, from its beginning to its end. */
@FunctionalInterface
public interface Script {

  /** Plays the part. An exception that it throws fails the run. */
  void play() throws Exception;
}
