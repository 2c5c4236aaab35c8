package dev.postcommit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The kind of thing that the events of a class of payloads happen to, unless the builder of an
 * event sets it. A superclass or an interface may have it for all its subclasses. It goes together
 * with {@link AggregateId}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface AggregateType {

  /** The kind of thing, for example {@code order}. */
  String value();
}
