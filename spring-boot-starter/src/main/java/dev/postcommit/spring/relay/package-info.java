/** The relay of an application and its publishers; start with {@code RelayAutoConfiguration}. */
@NullMarked
package dev.postcommit.spring.relay;

import org.jspecify.annotations.NullMarked;
