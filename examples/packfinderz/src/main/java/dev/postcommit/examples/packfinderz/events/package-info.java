/**
 * What PackFinderz tells about itself: the payload of each event type, and the registry of them
 * all. Start with {@link dev.postcommit.examples.packfinderz.events.Events}.
 */
@NullMarked
package dev.postcommit.examples.packfinderz.events;

import org.jspecify.annotations.NullMarked;
