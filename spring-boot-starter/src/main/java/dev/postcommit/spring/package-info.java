/**
 * Postcommit in a Spring Boot application. Start with {@link dev.postcommit.spring.SpringOutbox},
 * through which services write events; all else is configured by settings and beans, see {@code
 * docs/spring.md}.
 */
@NullMarked
package dev.postcommit.spring;

import org.jspecify.annotations.NullMarked;
