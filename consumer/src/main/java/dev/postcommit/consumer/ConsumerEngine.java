package dev.postcommit.consumer;

import dev.postcommit.PostcommitException;
import dev.postcommit.consumer.envelope.EnvelopeReader;
import dev.postcommit.consumer.internal.json.DataDecoder;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads messages, finds their handlers, and leaves the rest to the inbox. */
final class ConsumerEngine implements EventConsumer {

  /** The result of reading a message: an event for the inbox, or an outcome at once. */
  private sealed interface Reading {
    record Event(PendingEvent event) implements Reading {}

    record Decided(Outcome outcome) implements Reading {}
  }

  private final Map<String, DecodingHandler> handlers;
  private final InboxStrategy inbox;
  private final EnvelopeReader envelope;
  private final UnknownTypes unknownTypes;
  private final DataDecoder decoder;
  private final OutcomeMapping outcomes;
  private final UnknownTypeWarning unknownTypeWarning;

  ConsumerEngine(
      Map<String, DecodingHandler> handlers,
      InboxStrategy inbox,
      EnvelopeReader envelope,
      UnknownTypes unknownTypes,
      DataDecoder decoder,
      OutcomeMapping outcomes) {
    this.handlers = handlers;
    this.inbox = inbox;
    this.envelope = envelope;
    this.unknownTypes = unknownTypes;
    this.decoder = decoder;
    this.outcomes = outcomes;
    this.unknownTypeWarning =
        new UnknownTypeWarning(outcomes.consumer(), handlers.keySet(), unknownTypes);
  }

  @Override
  public String name() {
    return outcomes.consumer();
  }

  @Override
  public List<Outcome> handle(List<WorkItem> items) {
    List<Reading> readings = items.stream().map(this::read).toList();
    Map<String, PendingEvent> events = new LinkedHashMap<>();
    Set<Object> heldKeys = new HashSet<>();
    for (int i = 0; i < readings.size(); i++) {
      Object key = items.get(i).orderingKey();
      if (readings.get(i) instanceof Reading.Event read) {
        add(read.event(), events, heldKeys);
      } else if (key != null && isRetry(readings.get(i))) {
        heldKeys.add(key);
      }
    }
    if (!events.isEmpty()) {
      inbox.handle(List.copyOf(events.values()), new BatchRun(outcomes, decoder));
    }
    return readings.stream().map(reading -> outcome(reading, events)).toList();
  }

  private static boolean isRetry(Reading reading) {
    return reading instanceof Reading.Decided decided && decided.outcome() instanceof Outcome.Retry;
  }

  /**
   * Adds an event, unless its ordering key is held. If two messages with different ordering keys
   * carry the same event, the second holds its key: the outcome that the two share is not known to
   * the messages behind it.
   */
  private static void add(
      PendingEvent event, Map<String, PendingEvent> events, Set<Object> heldKeys) {
    Object key = event.orderingKey();
    if (key != null && heldKeys.contains(key)) {
      return;
    }
    PendingEvent first = events.putIfAbsent(event.id(), event);
    if (first != null && key != null && !key.equals(first.orderingKey())) {
      heldKeys.add(key);
    }
  }

  private Reading read(WorkItem item) {
    ReceivedEvent<byte[]> event;
    try {
      event = envelope.read(item.message());
    } catch (RuntimeException e) {
      String error = "no event can be read from the message: " + OutcomeMapping.text(e);
      return new Reading.Decided(outcomes.dead(item, null, e, error));
    }
    DecodingHandler handler = handlers.get(event.type());
    if (handler == null) {
      return new Reading.Decided(unknown(item, event));
    }
    try {
      String problem = inbox.problem(event.id());
      if (problem != null) {
        PermanentFailureException error = new PermanentFailureException(problem);
        return new Reading.Decided(outcomes.failed(item, event, error));
      }
    } catch (PostcommitException e) {
      return new Reading.Decided(outcomes.unavailable(OutcomeMapping.text(e)));
    }
    return new Reading.Event(new PendingEvent(item, event, handler));
  }

  private Outcome unknown(WorkItem item, ReceivedEvent<?> event) {
    unknownTypeWarning.found(event.type());
    String error = "no handler of %s is for events of type %s".formatted(name(), event.type());
    return switch (unknownTypes) {
      case IGNORE -> outcomes.ignored(event);
      case DEAD_LETTER -> outcomes.failed(item, event, new PermanentFailureException(error));
      case FAIL -> outcomes.waiting(item, event, error);
    };
  }

  /** A message that carries the event of an earlier one shares its outcome. */
  private Outcome outcome(Reading reading, Map<String, PendingEvent> events) {
    if (reading instanceof Reading.Decided decided) {
      return decided.outcome();
    }
    PendingEvent event = ((Reading.Event) reading).event();
    PendingEvent first = events.getOrDefault(event.id(), event);
    Outcome outcome = first.outcome() == null ? Outcome.HELD : first.outcome();
    if (first == event) {
      return outcome;
    }
    return outcome instanceof Outcome.Done ? outcomes.duplicate(event.event()) : Outcome.HELD;
  }

  @Override
  public long prune() {
    return inbox.prune();
  }
}
