package dev.postcommit.testkit.explorer.scenario;

import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** An actor that works alone, before or after a run, so that its statements are not steps. */
public record SilentRole(String name, DataSource connections) implements Stage.Role {

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
