/**
 * For tests of services that write events: {@link
 * dev.postcommit.spring.test.AutoConfigureRecordingOutbox} puts a {@link
 * dev.postcommit.spring.test.RecordingOutbox} in the place of the real outbox. Needs AssertJ and
 * spring-test, as every Spring Boot application has them for its tests.
 */
@NullMarked
package dev.postcommit.spring.test;

import org.jspecify.annotations.NullMarked;
