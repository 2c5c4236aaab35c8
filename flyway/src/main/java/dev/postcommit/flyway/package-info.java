/** Flyway as the way to create and upgrade the tables of outbox and inbox. */
@NullMarked
package dev.postcommit.flyway;

import org.jspecify.annotations.NullMarked;
