package dev.postcommit.jackson;

import dev.postcommit.InvalidPayloadException;
import dev.postcommit.support.ErrorText;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds a component that must not be null and is, in a record and in all records within it. */
final class RequiredComponents {
  private static final ClassValue<List<Component>> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected List<Component> computeValue(Class<?> type) {
          return Stream.of(type.getRecordComponents()).map(Component::of).toList();
        }
      };

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  /** One component of a record. */
  private record Component(String name, Method accessor, boolean required) {

    static Component of(RecordComponent component) {
      Method accessor = component.getAccessor();
      boolean nullable =
          Stream.<AnnotatedElement>of(
                  component,
                  component.getAnnotatedType(),
                  accessor,
                  accessor.getAnnotatedReturnType())
              .anyMatch(Component::isNullable);
      boolean required =
          !nullable
              && component.getType() != Optional.class
              && !isKotlin(component.getDeclaringRecord());
      if (!accessor.trySetAccessible()) {
        throw new InvalidPayloadException(
            "%s cannot be read; have its module open the package %s"
                .formatted(
                    component.getDeclaringRecord().getName(),
                    component.getDeclaringRecord().getPackageName()));
      }
      return new Component(component.getName(), accessor, required);
    }

    private static boolean isNullable(AnnotatedElement element) {
      return Stream.of(element.getAnnotations())
          .anyMatch(each -> each.annotationType().getSimpleName().equals("Nullable"));
    }

    /** Kotlin knows which of its components may be null, and does not say so at run time. */
    private static boolean isKotlin(Class<?> type) {
      return Stream.of(type.getAnnotations())
          .map(Annotation::annotationType)
          .anyMatch(each -> each.getName().equals("kotlin.Metadata"));
    }

    @Nullable Object value(Object of) {
      try {
        return accessor.invoke(of);
      } catch (InvocationTargetException e) {
        throw new InvalidPayloadException(
            "%s cannot be read: %s".formatted(name, ErrorText.withoutMessage(e)));
      } catch (IllegalAccessException e) {
        throw new AssertionError(accessor + " was made accessible", e);
      }
    }
  }

  /** The path to the first such component, or null if there is none. */
  @Nullable String missing(@Nullable Object value) {
    if (value instanceof Record record && seen.add(record)) {
      return missingIn(record);
    } else if (value instanceof Optional<?> optional) {
      return missing(optional.orElse(null));
    } else if (value instanceof Collection<?> elements) {
      return missingIn(elements);
    } else if (value instanceof Map<?, ?> map) {
      return missingIn(map.values());
    } else if (value instanceof Object[] array) {
      return missingIn(Arrays.asList(array));
    }
    return null;
  }

  private @Nullable String missingIn(Record value) {
    for (Component component : COMPONENTS.get(value.getClass())) {
      @Nullable Object content = component.value(value);
      if (content == null && component.required()) {
        return component.name();
      }
      @Nullable String within = missing(content);
      if (within != null) {
        return component.name() + "." + within;
      }
    }
    return null;
  }

  private @Nullable String missingIn(Collection<?> elements) {
    for (Object element : elements) {
      @Nullable String within = missing(element);
      if (within != null) {
        return within;
      }
    }
    return null;
  }
}
