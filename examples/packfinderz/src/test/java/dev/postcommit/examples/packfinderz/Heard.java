package dev.postcommit.examples.packfinderz;

import dev.postcommit.consumer.ConsumerListener;
import dev.postcommit.consumer.message.ReceivedEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a consumer did, as {@code what id}. */
final class Heard implements ConsumerListener {
  private final List<String> heard = new CopyOnWriteArrayList<>();

  @Override
  public Handling handling(ReceivedEvent<?> event, int attempt) {
    heard.add("handling " + event.id());
    return Handling.IGNORED;
  }

  @Override
  public void processed(ReceivedEvent<?> event, Duration took) {
    heard.add("processed " + event.id());
  }

  @Override
  public void duplicate(ReceivedEvent<?> event) {
    heard.add("duplicate " + event.id());
  }

  @Override
  public void retrying(ReceivedEvent<?> event, int attempt, String reason, Duration delay) {
    heard.add("retrying " + event.id());
  }

  boolean has(String what, String event) {
    return heard.contains(what + " " + event);
  }

  /** All about one event, in order. */
  List<String> about(String event) {
    return heard.stream()
        .filter(line -> line.endsWith(" " + event))
        .map(line -> line.substring(0, line.indexOf(' ')))
        .toList();
  }
}
