package dev.postcommit.testkit.explorer;

import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * The relay that delivers what is left at the end of a run, alone: nothing that it does is a step.
 */
record LastRole(DataSource connections) implements Stage.Role {

  @Override
  public String name() {
    return "last";
  }

  @Override
  public DataSource connections(UnaryOperator<String> mutation) {
    return connections;
  }

  @Override
  public void step(String channel, String text) {}

  @Override
  public void step(String text) {}

  @Override
  public void atNextStep(Runnable action) {
    action.run();
  }

  @Override
  public void kill() {}

  @Override
  public void requireAlive() {}

  @Override
  public void cutOff() {}

  @Override
  public void note(String text) {}
}
