package dev.postcommit.writers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A process in another language with one connection to a database, told what to do line by line. It
 * ends when its input does, and so with this JVM.
 */
final class ForeignWriter implements AutoCloseable {

  /** What became of an event, in the words of the writers. */
  record Answer(String status, UUID id) {}

  /** What a writer refused, with the field if an event was at fault. */
  static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String field;

    RefusedException(String message, String field) {
      super(message);
      this.field = field;
    }

    String field() {
      return field;
    }
  }

  /** All in ASCII, for UTF-8 has no bytes for halves of surrogate pairs. */
  private static final ObjectMapper JSON =
      JsonMapper.builder().configure(JsonWriteFeature.ESCAPE_NON_ASCII, true).build();

  private final Process process;
  private final BufferedWriter requests;
  private final BufferedReader answers;

  ForeignWriter(List<String> command, PostgresDatabase database) throws IOException {
    List<String> all = new ArrayList<>(command);
    all.add(address(database));
    process = new ProcessBuilder(all).redirectError(Redirect.INHERIT).start();
    requests = process.outputWriter(UTF_8);
    answers = process.inputReader(UTF_8);
  }

  /** The address of a database as programs outside of Java know it. */
  static String address(PostgresDatabase database) {
    return database
        .jdbcUrl()
        .replaceFirst("jdbc:postgresql://", "postgresql://" + database.username() + "@");
  }

  void begin() {
    ask(Map.of("do", "begin"));
  }

  void commit() {
    ask(Map.of("do", "commit"));
  }

  void rollback() {
    ask(Map.of("do", "rollback"));
  }

  void sql(String statement) {
    ask(Map.of("do", "sql", "sql", statement));
  }

  Answer enqueue(Sample sample) {
    return ask(Map.of("do", "enqueue", "event", sample.fields())).get(0);
  }

  List<Answer> enqueueAll(List<Sample> samples) {
    return ask(Map.of("do", "enqueueAll", "events", samples.stream().map(Sample::fields).toList()));
  }

  private synchronized List<Answer> ask(Map<String, Object> request) {
    try {
      requests.write(JSON.writeValueAsString(request));
      requests.newLine();
      requests.flush();
      String line = answers.readLine();
      if (line == null) {
        throw new AssertionError("the writer ended; its errors are in this test's output");
      }
      JsonNode answer = JSON.readTree(line);
      if (answer.has("error")) {
        throw new RefusedException(
            answer.path("error").asText(), answer.path("field").asText("none"));
      }
      List<Answer> results = new ArrayList<>();
      for (JsonNode each : answer.path("answers")) {
        results.add(
            new Answer(each.path("status").asText(), UUID.fromString(each.path("id").asText())));
      }
      return results;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      requests.close();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        throw new AssertionError("the writer did not end with its input");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
