package dev.postcommit.consumer;

import dev.postcommit.PostcommitException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads messages, finds their handlers, and leaves the rest to the inbox. */
final class ConsumerEngine implements EventConsumer {

  /** What reading a message led to: an event for the inbox, or an outcome at once. */
  private sealed interface Reading {
    record Event(Task task) implements Reading {}

    record Decided(Outcome outcome) implements Reading {}
  }

  private final Map<String, Handler> handlers;
  private final Inbox inbox;
  private final EnvelopeReader envelope;
  private final UnknownTypes unknownTypes;
  private final DataDecoder decoder;
  private final Verdicts verdicts;

  ConsumerEngine(
      Map<String, Handler> handlers,
      Inbox inbox,
      EnvelopeReader envelope,
      UnknownTypes unknownTypes,
      DataDecoder decoder,
      Verdicts verdicts) {
    this.handlers = handlers;
    this.inbox = inbox;
    this.envelope = envelope;
    this.unknownTypes = unknownTypes;
    this.decoder = decoder;
    this.verdicts = verdicts;
  }

  @Override
  public String name() {
    return verdicts.consumer();
  }

  @Override
  public List<Outcome> handle(List<Attempt> attempts) {
    List<Reading> readings = attempts.stream().map(this::read).toList();
    Map<String, Task> events = new LinkedHashMap<>();
    Set<Object> held = new HashSet<>();
    for (Reading reading : readings) {
      if (reading instanceof Reading.Event event) {
        add(event.task(), events, held);
      }
    }
    if (!events.isEmpty()) {
      inbox.handle(List.copyOf(events.values()), new Round(verdicts, decoder));
    }
    return readings.stream().map(reading -> outcome(reading, events)).toList();
  }

  /**
   * Adds an event, unless its order is held. A second message of an event that is of another order
   * than the first holds its own: the fate that the two share is not known to those behind it.
   */
  private static void add(Task task, Map<String, Task> events, Set<Object> held) {
    Object order = task.attempt().order();
    if (order != null && held.contains(order)) {
      return;
    }
    Task first = events.putIfAbsent(task.id(), task);
    if (first != null && order != null && !order.equals(first.attempt().order())) {
      held.add(order);
    }
  }

  private Reading read(Attempt attempt) {
    ReceivedEvent<byte[]> event;
    try {
      event = envelope.read(attempt.message());
    } catch (RuntimeException e) {
      String error = "no event can be read from the message: " + Verdicts.text(e);
      return new Reading.Decided(verdicts.dead(attempt, null, e, error));
    }
    Handler handler = handlers.get(event.type());
    if (handler == null) {
      return new Reading.Decided(unknown(attempt, event));
    }
    try {
      String problem = inbox.problem(event.id());
      if (problem != null) {
        PermanentFailureException error = new PermanentFailureException(problem);
        return new Reading.Decided(verdicts.failed(attempt, event, error));
      }
    } catch (PostcommitException e) {
      return new Reading.Decided(verdicts.unavailable(Verdicts.text(e)));
    }
    return new Reading.Event(new Task(attempt, event, handler));
  }

  private Outcome unknown(Attempt attempt, ReceivedEvent<?> event) {
    if (unknownTypes == UnknownTypes.IGNORE) {
      return verdicts.ignored(event);
    }
    String error = "no handler of %s is for events of type %s".formatted(name(), event.type());
    return verdicts.failed(attempt, event, new PermanentFailureException(error));
  }

  /** A message that carries the event of an earlier one shares its fate. */
  private Outcome outcome(Reading reading, Map<String, Task> events) {
    if (reading instanceof Reading.Event event) {
      Task task = event.task();
      Task first = events.getOrDefault(task.id(), task);
      Outcome outcome = first.outcome() == null ? Outcome.HELD : first.outcome();
      if (first == task) {
        return outcome;
      }
      return outcome instanceof Outcome.Done ? verdicts.duplicate(task.event()) : Outcome.HELD;
    }
    return ((Reading.Decided) reading).outcome();
  }

  @Override
  public long prune() {
    return inbox.prune();
  }
}
