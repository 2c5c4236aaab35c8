package dev.postcommit.internal;

import dev.postcommit.AggregateId;
import dev.postcommit.InvalidEventException;
import dev.postcommit.support.ErrorText;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The field or method that is marked with {@link AggregateId}. */
final class AggregateIdMember {
  private static final String FIELD = "aggregateId";

  /** Whose text is the same everywhere. */
  private static final Set<Class<?>> IDS =
      Set.of(
          String.class,
          UUID.class,
          Long.class,
          Integer.class,
          Short.class,
          Byte.class,
          BigInteger.class);

  private final Member member;
  private final String name;

  private AggregateIdMember(Member member, String name) {
    this.member = member;
    this.name = name;
  }

  /**
   * The member of a class that is marked, or null if there is none.
   *
   * @param lineage the class, and what it inherits from
   * @throws InvalidEventException if several are marked, or one that has no value
   */
  static @Nullable AggregateIdMember of(Class<?> type, Set<Class<?>> lineage) {
    // The mark of a record's component is on its field and on its accessor too.
    Map<String, Member> marked = new TreeMap<>();
    for (Class<?> each : lineage) {
      for (Method method : each.getDeclaredMethods()) {
        add(marked, property(method), method);
      }
      for (Field field : each.getDeclaredFields()) {
        add(marked, field.getName(), field);
      }
    }
    if (marked.size() > 1) {
      throw new InvalidEventException(
          FIELD,
          "%s has several @AggregateId: %s; leave one"
              .formatted(type.getName(), String.join(", ", marked.keySet())));
    }
    return marked.entrySet().stream()
        .findFirst()
        .map(only -> of(type, only.getKey(), only.getValue()))
        .orElse(null);
  }

  private static <M extends AccessibleObject & Member> void add(
      Map<String, Member> marked, String name, M member) {
    if (member.isAnnotationPresent(AggregateId.class) && !member.isSynthetic()) {
      marked.putIfAbsent(name, member);
    }
  }

  private static String property(Method method) {
    String name = method.getName();
    return name.startsWith("get") && name.length() > 3 && Character.isUpperCase(name.charAt(3))
        ? Character.toLowerCase(name.charAt(3)) + name.substring(4)
        : name;
  }

  private static AggregateIdMember of(Class<?> type, String property, Member member) {
    String name = type.getName() + "." + property;
    boolean hasValue =
        !Modifier.isStatic(member.getModifiers())
            && (!(member instanceof Method method)
                || (method.getParameterCount() == 0 && method.getReturnType() != void.class));
    if (!hasValue) {
      throw new InvalidEventException(
          FIELD,
          name
              + " has @AggregateId, which belongs to a record component, a field or a method with"
              + " a value and no parameters, and not to a static one");
    }
    if (!((AccessibleObject) member).trySetAccessible()) {
      throw new InvalidEventException(
          FIELD,
          "%s has @AggregateId and cannot be read; have its module open the package %s"
              .formatted(name, type.getPackageName()));
    }
    return new AggregateIdMember(member, name);
  }

  /**
   * The value in a payload.
   *
   * @throws InvalidEventException if it is null, or not an id
   */
  String read(Object payload) {
    @Nullable Object value = value(payload);
    if (value == null) {
      throw new InvalidEventException(FIELD, name + ", the @AggregateId, is null");
    }
    if (!IDS.contains(value.getClass())) {
      throw new InvalidEventException(
          FIELD,
          "%s, the @AggregateId, is a %s; mark a text, a UUID or a whole number, such as a method that returns one"
              .formatted(name, value.getClass().getName()));
    }
    return value.toString();
  }

  private @Nullable Object value(Object payload) {
    try {
      return member instanceof Method method
          ? method.invoke(payload)
          : ((Field) member).get(payload);
    } catch (InvocationTargetException e) {
      throw new InvalidEventException(
          FIELD, name + ", the @AggregateId, failed: " + ErrorText.withoutMessage(e));
    } catch (IllegalAccessException e) {
      throw new AssertionError(name + " was made accessible", e);
    }
  }
}
