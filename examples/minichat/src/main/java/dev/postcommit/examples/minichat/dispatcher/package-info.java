/** The way from the outbox to billing. */
@NullMarked
package dev.postcommit.examples.minichat.dispatcher;

import org.jspecify.annotations.NullMarked;
