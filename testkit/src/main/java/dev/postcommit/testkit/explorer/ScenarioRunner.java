package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.gate.ActorConnections;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.explorer.scheduler.Actor;
import dev.postcommit.testkit.explorer.scheduler.ActorThreads;
import dev.postcommit.testkit.explorer.scheduler.Run;
import dev.postcommit.testkit.explorer.search.DivergedException;
import dev.postcommit.testkit.explorer.search.Footprint;
import dev.postcommit.testkit.explorer.search.Step;
import dev.postcommit.testkit.explorer.search.Strategy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Plays the runs of one scenario, one after the other. */
final class ScenarioRunner implements AutoCloseable {
  private final Scenario scenario;
  private final ActorThreads threads = new ActorThreads();
  private final Map<String, ThreadGroup> groups = new HashMap<>();
  private final ExplorerServer server = ExplorerServer.take();
  private RunDatabase database;

  ScenarioRunner(Scenario scenario) throws SQLException {
    this.scenario = scenario;
    this.database = server.openDatabase(scenario);
  }

  /** What a run came to. */
  record Outcome(
      boolean isComplete,
      List<Integer> schedule,
      List<Step> steps,
      List<String> names,
      List<String> trace,
      String result,
      @Nullable Throwable failure) {

    boolean isFailed() {
      return failure != null;
    }
  }

  /** Plays the scenario once. */
  Outcome play(Strategy strategy, long seed, boolean isVerbose) throws SQLException {
    database.prepare(scenario);
    Run run = new Run(database.locks(), isVerbose);
    OpenStage stage = new OpenStage(run, seed);
    @Nullable Throwable failure = null;
    boolean isComplete = false;
    String result = "";
    try {
      Scenario.Play play = scenario.begin(stage);
      isComplete = run.play(threads, strategy);
      if (isComplete) {
        play.finish();
        play.check();
        result = play.result();
      }
    } catch (DivergedException | SQLException e) {
      throw e;
    } catch (Exception | AssertionError e) {
      failure = e;
    }
    if (failure != null) {
      renew();
    }
    return new Outcome(
        isComplete,
        run.schedule(),
        run.steps(),
        run.actors().stream().map(Actor::name).toList(),
        run.trace(),
        result,
        failure);
  }

  /** A run that failed may have left anything behind. */
  private void renew() throws SQLException {
    RunDatabase left = database;
    scenario.reset(left.maintenance());
    left.close();
    database = server.openDatabase(scenario);
  }

  @Override
  public void close() throws SQLException {
    threads.close();
    server.leaveDatabase(database, scenario);
    server.giveBack();
  }

  private final class OpenStage implements Stage {
    private final Run run;
    private final long seed;

    OpenStage(Run run, long seed) {
      this.run = run;
      this.seed = seed;
    }

    @Override
    public Role actor(String name, Part part) {
      ActorRole[] role = new ActorRole[1];
      role[0] = new ActorRole(run, run.add(name, () -> part.play(role[0]), null));
      return role[0];
    }

    @Override
    public Role actorWithThreads(String name, Part part) {
      ActorRole[] role = new ActorRole[1];
      ThreadGroup group = groups.computeIfAbsent(name, key -> new ThreadGroup(key));
      role[0] = new ActorRole(run, run.add(name, () -> part.play(role[0]), group));
      return role[0];
    }

    @Override
    public Connection unwatched() {
      return database.maintenance();
    }

    @Override
    public DataSource unwatchedConnections() {
      return database.database().dataSource();
    }

    @Override
    public long seed() {
      return seed;
    }
  }

  private final class ActorRole implements Stage.Role {
    private final Run run;
    private final Actor actor;
    private final ActorConnections connections;

    ActorRole(Run run, Actor actor) {
      this.run = run;
      this.actor = actor;
      this.connections = new ActorConnections(database.sessions(actor.name()), actor);
    }

    @Override
    public String name() {
      return actor.name();
    }

    @Override
    public DataSource connections() {
      return connections(UnaryOperator.identity());
    }

    @Override
    public DataSource connections(UnaryOperator<String> mutation) {
      return connections.with(mutation);
    }

    @Override
    public void step(String channel, String text) {
      actor.announce(text, Footprint.channel(channel));
    }

    @Override
    public void step(String text) {
      actor.announce(text, Footprint.EVERYTHING);
    }

    @Override
    public void atNextStep(Runnable action) {
      actor.atNextStep(action);
    }

    @Override
    public void kill() throws SQLException {
      run.kill(actor);
    }

    @Override
    public void requireAlive() {
      actor.requireAlive();
    }

    @Override
    public void cutOff() throws SQLException {
      run.cutOff(actor);
    }

    @Override
    public void note(String text) {
      actor.note(text);
    }
  }
}
