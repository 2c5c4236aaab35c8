/**
 * For tests of services that write events: {@link dev.postcommit.spring.test.OutboxTest} is a slice
 * without a database, and {@link dev.postcommit.spring.test.AutoConfigureRecordingOutbox} puts a
 * {@link dev.postcommit.spring.test.RecordingOutbox} in the place of the real outbox in any other
 * test. Needs AssertJ, JUnit and Spring Boot's support for tests, as every Spring Boot application
 * has them.
 */
@NullMarked
package dev.postcommit.spring.test;

import org.jspecify.annotations.NullMarked;
