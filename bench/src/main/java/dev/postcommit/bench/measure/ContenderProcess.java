package dev.postcommit.bench.measure;

import dev.postcommit.bench.contender.Contender.Hold;
import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.contender.LoadTimes;
import dev.postcommit.testkit.process.ChildProcess;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A contender in its own JVM, as seen by the driver. Used by one thread at a time. */
public final class ContenderProcess implements AutoCloseable {
  private static final Duration END_TIMEOUT = Duration.ofSeconds(20);

  private final Entrant entrant;
  private final ChildProcess process;
  private final Socket socket;
  private final DataInputStream answers;
  private final DataOutputStream requests;

  ContenderProcess(Entrant entrant, ChildProcess process, Socket socket) throws IOException {
    this.entrant = entrant;
    this.process = process;
    this.socket = socket;
    this.answers = new DataInputStream(socket.getInputStream());
    this.requests = new DataOutputStream(socket.getOutputStream());
    socket.setTcpNoDelay(true);
  }

  public Entrant entrant() {
    return entrant;
  }

  long pid() {
    return process.pid();
  }

  /** The topic of its messages. */
  public String topic() {
    return entrant.id();
  }

  void create() {
    ask("create");
  }

  public List<String> tables() {
    String tables = ask("tables");
    return tables.isEmpty() ? List.of() : List.of(tables.split(" "));
  }

  /** Returns its version, under an empty name, and its settings. */
  public Map<String, String> description() {
    String[] lines = ask("describe").split("\n");
    Map<String, String> description = new LinkedHashMap<>();
    description.put("", lines[0]);
    for (String line : lines) {
      int tab = line.indexOf('\t');
      if (tab > 0) {
        description.put(line.substring(0, tab), line.substring(tab + 1));
      }
    }
    return description;
  }

  public void reset() {
    ask("reset");
  }

  void fill(int run, int events, int bytes, Keys keys) {
    ask("fill %d %d %d %s".formatted(run, events, bytes, keys));
  }

  /** Adds delivered rows; returns false if it does not keep any. */
  public boolean addHistory(int rows) {
    return Boolean.parseBoolean(ask("history " + rows));
  }

  /** Adds undelivered events of one key; returns whether it could. */
  public boolean addHotKey(Hold hold, int rows) {
    return Boolean.parseBoolean(ask("hotkey %s %d".formatted(hold, rows)));
  }

  public void start() {
    ask("start");
  }

  public void stop() {
    ask("stop");
  }

  long settled() {
    return Long.parseLong(ask("settled"));
  }

  public long dead() {
    return Long.parseLong(ask("dead"));
  }

  /**
   * Writes events at a rate. Returns when all are written, or when a writer is late by the given
   * time.
   */
  public LoadTimes load(int run, int rate, int events, int bytes, int writers, Duration patience) {
    try {
      Path file = Files.createTempFile("postcommit-bench-", ".times");
      try {
        ask(
            "load %d %d %d %d %d %d %s"
                .formatted(run, rate, events, bytes, writers, patience.toMillis(), file));
        return LoadTimes.read(file);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** See {@code Overhead.measure}. */
  public double[] overhead(int run, int bytes, int writers) {
    String answer = ask("overhead %d %d %d".formatted(run, bytes, writers));
    return Arrays.stream(answer.substring(1, answer.length() - 1).split(", "))
        .mapToDouble(Double::parseDouble)
        .toArray();
  }

  private String ask(String request) {
    try {
      requests.writeUTF(request);
      requests.flush();
      boolean done = answers.readBoolean();
      String answer = answers.readUTF();
      if (!done) {
        throw new ContenderException("'" + request + "' failed: " + answer);
      }
      return answer;
    } catch (IOException e) {
      throw new ContenderException("its JVM is gone at '" + request + "':\n" + tail());
    }
  }

  /** Returns the last lines of its output. */
  private String tail() {
    List<String> lines = process.output().lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
  }

  /** Closes the connection, and lets its JVM clean up and end. */
  @Override
  public void close() {
    try {
      socket.close();
      process.awaitExit(END_TIMEOUT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage() + "; it is killed");
    }
  }
}
