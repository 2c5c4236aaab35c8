/**
 * Postcommit in a Spring Boot application. Start with {@link dev.postcommit.spring.SpringOutbox},
 * with which services write events. Settings and beans configure the rest; see {@code
 * docs/spring.md}.
 */
@NullMarked
package dev.postcommit.spring;

import org.jspecify.annotations.NullMarked;
