/**
 * Checks events against their contracts before they are sent. Start at {@link
 * dev.postcommit.registry.EventRegistry}.
 */
@NullMarked
package dev.postcommit.registry;

import org.jspecify.annotations.NullMarked;
