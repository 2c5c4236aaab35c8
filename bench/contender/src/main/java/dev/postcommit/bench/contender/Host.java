package dev.postcommit.bench.contender;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Runs a contender in this JVM and does what the benchmark's driver asks for, over a connection to
 * the driver. Each request is a line of words and gets one answer; the JVM ends with the
 * connection.
 */
public final class Host {
  private static final int CONNECTIONS = 40;
  private static final int FILLED_AT_ONCE = 1_000;

  private final Contender contender;

  private Host(Contender contender) {
    this.contender = contender;
  }

  /** Makes a contender. */
  @FunctionalInterface
  public interface Factory {

    /** Makes it, its relay stopped. */
    Contender make(Environment environment) throws Exception;
  }

  /**
   * Serves the driver until it hangs up, then ends the JVM.
   *
   * @param arguments those the driver started this JVM with
   */
  public static void serve(String[] arguments, Factory factory) throws Exception {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(arguments[1]);
    database.setUser(arguments[2]);
    database.setApplicationName(arguments[4]);
    HikariConfig pool = new HikariConfig();
    pool.setDataSource(CommitTimes.noting(database));
    pool.setMaximumPoolSize(CONNECTIONS);
    pool.setMinimumIdle(0);
    try (Socket driver =
            new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
        HikariDataSource dataSource = new HikariDataSource(pool);
        Contender contender =
            factory.make(
                new Environment(
                    dataSource,
                    arguments[1],
                    arguments[2],
                    arguments[3],
                    arguments[4],
                    arguments.length > 5 ? arguments[5] : ""))) {
      driver.setTcpNoDelay(true);
      new Host(contender).answerAll(driver);
    }
    System.exit(0);
  }

  private void answerAll(Socket driver) throws IOException {
    DataInputStream requests = new DataInputStream(driver.getInputStream());
    DataOutputStream answers = new DataOutputStream(driver.getOutputStream());
    while (true) {
      String request;
      try {
        request = requests.readUTF();
      } catch (EOFException e) {
        return;
      }
      boolean done = true;
      String answer;
      try {
        answer = answer(request.split(" "));
      } catch (Exception e) {
        e.printStackTrace();
        done = false;
        answer = e.toString();
      }
      answers.writeBoolean(done);
      answers.writeUTF(answer.substring(0, Math.min(10_000, answer.length())));
      answers.flush();
    }
  }

  private String answer(String[] words) throws Exception {
    switch (words[0]) {
      case "describe" -> {
        return describe(contender.description());
      }
      case "create" -> contender.create();
      case "tables" -> {
        return String.join(" ", contender.tables());
      }
      case "reset" -> contender.reset();
      case "fill" -> {
        fill(number(words, 1), number(words, 2), number(words, 3), words[4]);
        endSessions();
      }
      case "history" -> {
        return Boolean.toString(contender.addHistory(number(words, 1)));
      }
      case "hotkey" -> {
        return Boolean.toString(
            contender.addHotKey(Contender.Hold.valueOf(words[1]), number(words, 2)));
      }
      case "start" -> contender.start();
      case "stop" -> {
        contender.stop();
        endSessions();
      }
      case "load" ->
          new Load(
                  contender,
                  number(words, 1),
                  number(words, 2),
                  number(words, 3),
                  number(words, 4),
                  number(words, 5),
                  number(words, 6))
              .run()
              .write(Path.of(words[7]));
      case "overhead" -> {
        return Arrays.toString(
            new Overhead(contender, number(words, 1), number(words, 2), number(words, 3))
                .measure());
      }
      case "settled" -> {
        return Long.toString(contender.settled());
      }
      case "dead" -> {
        return Long.toString(contender.dead());
      }
      default -> throw new IllegalArgumentException("no such request: " + words[0]);
    }
    return "";
  }

  /** Sessions that end tell Postgres what they wrote. */
  private void endSessions() {
    contender.environment().dataSource().getHikariPoolMXBean().softEvictConnections();
  }

  private static String describe(Description description) {
    StringBuilder text = new StringBuilder(description.version());
    for (Map.Entry<String, String> setting : description.settings().entrySet()) {
      text.append('\n').append(setting.getKey()).append('\t').append(setting.getValue());
    }
    return text.toString();
  }

  private void fill(int run, int events, int bytes, String keys) throws Exception {
    Keys spread = Keys.valueOf(keys);
    List<BenchEvent> chunk = new ArrayList<>(FILLED_AT_ONCE);
    for (int n = 0; n < events; n++) {
      chunk.add(BenchEvent.of(run, n, spread, bytes));
      if (chunk.size() == FILLED_AT_ONCE || n == events - 1) {
        contender.fill(chunk);
        chunk.clear();
      }
    }
  }

  private static int number(String[] words, int index) {
    return Integer.parseInt(words[index]);
  }
}
