/**
 * Event handlers of a Spring application: {@link dev.postcommit.spring.consumer.EventHandler} marks
 * a method, settings say what is read, and each event has its effect once; see {@code
 * docs/spring.md}.
 */
@NullMarked
package dev.postcommit.spring.consumer;

import org.jspecify.annotations.NullMarked;
