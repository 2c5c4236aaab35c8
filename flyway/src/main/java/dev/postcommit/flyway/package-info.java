/** Flyway as the way to create and upgrade the outbox tables. */
@NullMarked
package dev.postcommit.flyway;

import org.jspecify.annotations.NullMarked;
