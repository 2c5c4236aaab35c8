package dev.postcommit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the part of a payload that names the thing its event happened to: a component of a record,
 * a field, or a method without parameters. Its value is a text, a UUID or a whole number, and is
 * the event's aggregate id and key unless the builder of the event sets them.
 *
 * <p>A class has one. A superclass or an interface may have it for all its subclasses.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.METHOD})
public @interface AggregateId {}
