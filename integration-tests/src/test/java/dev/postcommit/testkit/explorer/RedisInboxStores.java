package dev.postcommit.testkit.explorer;

import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.testkit.explorer.inbox.InboxStores;
import dev.postcommit.testkit.explorer.inbox.Wire;
import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import java.sql.Connection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Marks in Redis, by scripts and commands that can be changed: to show what a fault would do. */
final class RedisInboxStores implements InboxStores {
  private static final Duration IN_PROGRESS = Duration.ofMinutes(1);

  /** Lets go of what has no more than a time left to live. */
  private static final String TIME_PASSES =
      """
      for i, key in ipairs(redis.call('KEYS', '*')) do
        local left = redis.call('PTTL', key)
        if left >= 0 and left <= tonumber(ARGV[1]) then
          redis.call('DEL', key)
        end
      end
      """;

  /** The server of all scenarios, which does not wait for its disk. */
  private static final class Server {
    /** Each scenario has a database of its own: several are played at a time. */
    static final int DATABASES = 256;

    static final ClientResources RESOURCES = ClientResources.create();
    static final RedisServer SERVER = start();
    static final AtomicInteger USED = new AtomicInteger();

    private static RedisServer start() {
      RedisServer server =
          RedisServer.builder()
              .setting("appendonly", "no")
              .setting("databases", Integer.toString(DATABASES))
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      return server;
    }

    static StatefulRedisConnection<String, String> connect() {
      RedisURI uri = RedisURI.create(SERVER.url());
      uri.setDatabase(USED.getAndIncrement() % DATABASES);
      return RedisClient.create(RESOURCES, uri).connect();
    }
  }

  private final StatefulRedisConnection<String, String> connection = Server.connect();
  private final RedisMutation mutation;

  RedisInboxStores(RedisMutation mutation) {
    this.mutation = mutation;
  }

  @Override
  public void create(DataSource database) {
    reset(null);
  }

  @Override
  public void reset(@Nullable Connection unused) {
    connection.sync().flushdb();
  }

  @Override
  public IdempotencyStore open(Stage.Role self, Wire wire) {
    return new ConnectedStore(
        store(new GatedRedis(Server.RESOURCES, connection, self, wire, mutation)));
  }

  @Override
  public IdempotencyStore unwatched(Stage stage) {
    return store(new GatedRedis(Server.RESOURCES, connection, null, null, mutation));
  }

  private static IdempotencyStore store(RedisClient client) {
    return RedisIdempotencyStore.builder(client)
        .prefix("explorer")
        .inProgressTime(IN_PROGRESS)
        .timeout(Duration.ofHours(1))
        .build();
  }

  @Override
  public void timePasses(Stage.Role self) {
    self.step("the in-progress time passes");
    timePasses();
  }

  @Override
  public void timePasses(Stage stage) {
    timePasses();
  }

  private void timePasses() {
    connection
        .sync()
        .eval(
            TIME_PASSES,
            ScriptOutputType.STATUS,
            new String[0],
            Long.toString(IN_PROGRESS.toMillis()));
  }

  @Override
  public Set<String> processed(Stage stage) {
    throw new UnsupportedOperationException();
  }
}
