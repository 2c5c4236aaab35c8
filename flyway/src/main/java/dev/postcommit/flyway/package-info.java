/** Creates and upgrades the tables of outbox and inbox with Flyway. */
@NullMarked
package dev.postcommit.flyway;

import org.jspecify.annotations.NullMarked;
