package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.testkit.explorer.outbox.OutboxScenario.Writer;
import dev.postcommit.testkit.explorer.outbox.OutboxScenario.WriterPart;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A writer whose transaction has begun when the run does. */
final class BegunWriter implements OutboxPlay.Part {
  private final WriterPart before;
  private final WriterPart then;
  private @Nullable Writer writer;

  BegunWriter(WriterPart before, WriterPart then) {
    this.before = before;
    this.then = then;
  }

  @Override
  public void prepare(OutboxPlay run, Stage.Role self) throws SQLException {
    Writer begun = run.writer(self);
    before.write(begun);
    writer = begun;
  }

  @Override
  public void play(OutboxPlay run, Stage.Role self) throws SQLException {
    then.write(Objects.requireNonNull(writer));
  }
}
