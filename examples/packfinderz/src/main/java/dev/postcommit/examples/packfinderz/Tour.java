package dev.postcommit.examples.packfinderz;

import dev.postcommit.testkit.pubsub.PubSubProxy;
import io.grpc.Status;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.UUID;

/** Good days and bad ones, one after the other. */
final class Tour {
  private static final int WHILE_IT_IS_DEAD = 3;

  private final World world;
  private final Desk desk;
  private final PrintStream out;
  private int step;

  Tour(World world, Desk desk, PrintStream out) {
    this.world = world;
    this.desk = desk;
    this.out = out;
  }

  void run() throws SQLException, InterruptedException {
    UUID license = decide();
    change("a transaction is rolled back");
    desk.uploadAndRollBack();
    came("no license, no event, no notification");
    change("the same license is approved again");
    came("refused, no event: " + desk.approveInVain(license));
    publishTwice();
    loseRedis();
    loseTheTable();
    loseTheMark();
    killThePublisher();
  }

  private UUID decide() throws SQLException, InterruptedException {
    change("two licenses are uploaded");
    UUID good = desk.upload();
    UUID bad = desk.upload();
    came("admins are told to review them");
    change("one is approved, the other is rejected");
    desk.approve(good);
    desk.reject(bad, "the document is not legible");
    came("the store is told, with a link and the reason");
    return good;
  }

  private void publishTwice() throws SQLException, InterruptedException {
    change("Pub/Sub takes an event, and its answer gets lost");
    PubSubProxy.Fault lost = world.pathToPubSub().loseAnswers(all -> true, Status.INTERNAL, 1);
    UUID unused = desk.upload();
    Patience.await("an answer is lost", () -> lost.count() == 1);
    came("it is published twice, and one notification is written");
  }

  private void loseRedis() throws SQLException, InterruptedException {
    change("Redis is away");
    long before = notifications();
    world.redis().stop();
    UUID unused = desk.upload();
    Patience.await("the event is published", this::isAllPublished);
    out.println("     published, and nothing is handled unguarded: " + added(before));
    world.redis().restart();
    came("Redis is back: the notification is written");
  }

  private void loseTheTable() throws SQLException, InterruptedException {
    change("the table of notifications is away");
    Sql.execute(world.database(), "ALTER TABLE notifications RENAME TO notifications_away");
    UUID unused = desk.upload();
    Patience.await("the event is published", this::isAllPublished);
    Marks marks = new Marks(world.redisClient());
    String last = Sql.list(world.database(), Marks.NEWEST_EVENT).get(0);
    Patience.await("the handler fails", () -> world.failed().contains(last));
    Patience.await("the idempotency key is deleted", () -> !marks.isThere(last));
    out.println("     the handler fails, and its idempotency key is deleted");
    Sql.execute(world.database(), "ALTER TABLE notifications_away RENAME TO notifications");
    came("the table is back: the event comes again, the notification is written");
  }

  /** As after a crash of the consumer between notification and mark, and of the publisher, too. */
  private void loseTheMark() throws SQLException, InterruptedException {
    change("the mark of a handled event is lost, and the event is published again");
    String last = Sql.list(world.database(), Marks.NEWEST_EVENT).get(0);
    Patience.await("the event is handled", () -> world.handled(last) == 1);
    new Marks(world.redisClient()).delete(last);
    Sql.execute(
        world.database(), "UPDATE outbox_events SET published_at = NULL WHERE id = '" + last + "'");
    Patience.await("the event is handled again", () -> world.handled(last) == 2);
    came("it is handled again, and its notification is still one: its id is made from the event's");
  }

  private void killThePublisher() throws SQLException, InterruptedException {
    change("the publisher is killed with events in its hands");
    world.pathToPubSub().freeze();
    for (int i = 0; i < WHILE_IT_IS_DEAD; i++) {
      UUID unused = desk.upload();
    }
    Patience.await("the publisher holds the events", () -> Sql.number(world.database(), FREE) == 0);
    long killed = world.publisher().pid();
    world.killPublisher();
    UUID unused = desk.upload();
    world.pathToPubSub().thaw();
    world.restartPublisher();
    came(
        "process %d is dead, process %d publishes what was left"
            .formatted(killed, world.publisher().pid()));
  }

  /** How many unpublished rows nobody has locked. */
  private static final String FREE =
      """
      SELECT count(*) FROM
        (SELECT 1 FROM outbox_events WHERE published_at IS NULL FOR UPDATE SKIP LOCKED) AS free""";

  private void change(String what) {
    step++;
    out.printf("%3d. %s%n", step, what);
  }

  /** Waits for all notifications of what was committed so far. */
  private void came(String what) throws SQLException, InterruptedException {
    int count = desk.expected().size();
    Patience.await(
        "step %d: %d notifications".formatted(step, count),
        () -> notifications() >= count && isAllPublished());
    out.println("     " + what);
  }

  private long notifications() throws SQLException {
    return Sql.number(world.database(), "SELECT count(*) FROM notifications");
  }

  private String added(long before) throws SQLException {
    return notifications() - before + " notifications";
  }

  private boolean isAllPublished() throws SQLException {
    String unpublished = "SELECT count(*) FROM outbox_events WHERE published_at IS NULL";
    return Sql.number(world.database(), unpublished) == 0;
  }
}
