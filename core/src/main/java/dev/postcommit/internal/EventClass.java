package dev.postcommit.internal;

import dev.postcommit.AggregateType;
import dev.postcommit.EventType;
import dev.postcommit.InvalidEventException;
import dev.postcommit.Payload;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the annotations of a class say about events with such a payload; read once per class. */
public final class EventClass {
  private static final ClassValue<EventClass> KNOWN =
      new ClassValue<>() {
        @Override
        protected EventClass computeValue(Class<?> type) {
          return new EventClass(type);
        }
      };

  private final @Nullable String type;
  private final @Nullable String aggregateType;
  private final @Nullable AggregateIdMember aggregateId;

  private EventClass(Class<?> payload) {
    EventType marked = payload.getDeclaredAnnotation(EventType.class);
    Set<Class<?>> lineage = new LinkedHashSet<>();
    collect(payload, lineage);
    this.type = marked == null ? null : marked.value();
    this.aggregateType =
        lineage.stream()
            .map(each -> each.getDeclaredAnnotation(AggregateType.class))
            .filter(Objects::nonNull)
            .map(AggregateType::value)
            .findFirst()
            .orElse(null);
    this.aggregateId = AggregateIdMember.of(payload, lineage);
  }

  /** The class, its superclasses and its interfaces, without those of the JDK. */
  private static void collect(@Nullable Class<?> type, Set<Class<?>> lineage) {
    if (type == null || type.getName().startsWith("java.") || !lineage.add(type)) {
      return;
    }
    collect(type.getSuperclass(), lineage);
    for (Class<?> each : type.getInterfaces()) {
      collect(each, lineage);
    }
  }

  /**
   * The type of an event with this payload.
   *
   * @throws InvalidEventException if the payload does not say
   */
  public static String type(Payload payload) {
    Object object =
        payload
            .object()
            .orElseThrow(
                () ->
                    new InvalidEventException(
                        "type", "JSON text and bytes have none; use Event.builder(type)"));
    @Nullable String type = KNOWN.get(object.getClass()).type;
    if (type == null) {
      throw new InvalidEventException(
          "type",
          object.getClass().getName()
              + " is not marked with @EventType; mark it, or use Event.builder(type)");
    }
    return type;
  }

  /** The aggregate id of an event with this payload, or null if the payload has none. */
  public static @Nullable String aggregateId(Payload payload) {
    @Nullable Object object = payload.object().orElse(null);
    if (object == null) {
      return null;
    }
    EventClass known = KNOWN.get(object.getClass());
    if (known.aggregateId != null) {
      return known.aggregateId.read(object);
    }
    if (known.aggregateType != null) {
      throw new InvalidEventException(
          "aggregateId",
          object.getClass().getName()
              + " has @AggregateType, but no @AggregateId; mark a record component, a field or a"
              + " method, or set the aggregate with the builder");
    }
    return null;
  }

  /** The aggregate type of an event with this payload, or null if the payload has none. */
  public static @Nullable String aggregateType(Payload payload) {
    return payload.object().map(object -> KNOWN.get(object.getClass()).aggregateType).orElse(null);
  }
}
