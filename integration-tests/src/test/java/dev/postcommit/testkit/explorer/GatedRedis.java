package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.inbox.Broker;
import dev.postcommit.testkit.explorer.inbox.Wire;
import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.jdbc.JdbcProxy;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.resource.ClientResources;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** A client of Redis whose commands are steps of an actor, over a {@link Wire}. */
@SuppressWarnings("FutureReturnValueIgnored") // the client gets them, or the reply is there
final class GatedRedis extends RedisClient {
  /** Commands on this event only connect, and are no steps. */
  static final String UNWATCHED = "unwatched";

  private final StatefulRedisConnection<String, String> real;
  private final Stage.@Nullable Role self;
  private final @Nullable Wire wire;
  private final RedisMutation mutation;

  GatedRedis(
      ClientResources resources,
      StatefulRedisConnection<String, String> real,
      Stage.@Nullable Role self,
      @Nullable Wire wire,
      RedisMutation mutation) {
    super(resources, new RedisURI());
    this.real = real;
    this.self = self;
    this.wire = wire;
    this.mutation = mutation;
  }

  /** A connection that shares one with all others, so that to connect and to close cost nothing. */
  @Override
  @SuppressWarnings("unchecked")
  public StatefulRedisConnection<String, String> connect() {
    return JdbcProxy.of(
        StatefulRedisConnection.class,
        (method, arguments) ->
            switch (method.getName()) {
              case "async" -> JdbcProxy.of(RedisAsyncCommands.class, this::command);
              case "isOpen" -> true;
              case "closeAsync" -> CompletableFuture.completedFuture(null);
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  private @Nullable Object command(Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      // Whoever is told so sends the text, which can be read here.
      case "evalsha" -> failed(new RedisNoScriptException("NOSCRIPT"));
      case "eval" -> {
        String script = (String) arguments[0];
        arguments[0] = mutation.script().apply(script);
        String name = name(script, (String) ((Object[]) arguments[3])[0]);
        yield execute(name, (Object[]) arguments[2], method, arguments);
      }
      case "set" -> {
        arguments[2] = mutation.set().apply((SetArgs) arguments[2]);
        yield execute("SET", new Object[] {arguments[0]}, method, arguments);
      }
      case "get" -> execute("GET", new Object[] {arguments[0]}, method, arguments);
      case "del" -> execute("DEL", (Object[]) arguments[0], method, arguments);
      default -> throw new UnsupportedOperationException(method.getName());
    };
  }

  private static String name(String script, String argument) {
    if (script.contains("PEXPIRE")) {
      return "begin";
    }
    boolean deletes = script.contains("DEL");
    return !deletes ? "complete" : argument.startsWith("processed") ? "unmark" : "abandon";
  }

  private Object execute(String name, Object[] keys, Method method, Object[] arguments)
      throws Throwable {
    List<String> events = Arrays.stream(keys).map(GatedRedis::event).toList();
    if (self == null || wire == null || events.contains(UNWATCHED)) {
      return send(method, arguments);
    }
    String text = name + " " + String.join(" ", events);
    if (events.size() == 1) {
      self.step("mark of " + events.get(0), text);
    } else {
      self.step(text);
    }
    if (wire.takes(Wire.Fate.LATE)) {
      self.note("is late");
      wire.keep(
          () -> {
            try {
              send(method, arguments);
            } catch (Throwable e) {
              throw new IllegalStateException(e);
            }
          });
      return failed(new RedisCommandTimeoutException("no reply yet"));
    }
    RedisFuture<?> answer = send(method, arguments);
    self.note(String.valueOf(answer.get()));
    return wire.takes(Wire.Fate.REPLY_LOST)
        ? failed(new RedisCommandTimeoutException("the reply is lost"))
        : answer;
  }

  private static String event(Object key) {
    String text = (String) key;
    String id = text.substring(text.lastIndexOf(':') + 1);
    return id.equals(UNWATCHED) ? id : Broker.name(id);
  }

  /** Executes a command, and returns when there is a reply: what follows is done by the caller. */
  private RedisFuture<?> send(Method method, Object[] arguments) throws Throwable {
    RedisFuture<?> answer = (RedisFuture<?>) JdbcProxy.call(real.async(), method, arguments);
    try {
      Object value = answer.get();
      if (method.getName().equals("get")) {
        return future(CompletableFuture.completedFuture(mutation.got().apply((String) value)));
      }
    } catch (ExecutionException e) {
      throw e.getCause();
    }
    return answer;
  }

  private static RedisFuture<?> failed(Exception problem) {
    return future(CompletableFuture.failedFuture(problem));
  }

  private static RedisFuture<?> future(CompletableFuture<?> future) {
    return JdbcProxy.of(
        RedisFuture.class, (method, arguments) -> JdbcProxy.call(future, method, arguments));
  }
}
