/** What operators do: list, replay, discard, prune, pause, and read gauges. */
@NullMarked
package dev.postcommit.internal.admin;

import org.jspecify.annotations.NullMarked;
