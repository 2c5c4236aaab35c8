/**
 * Notifications about licenses. Start with {@link
 * dev.postcommit.examples.packfinderz.compliance.ComplianceConsumer}.
 */
@NullMarked
package dev.postcommit.examples.packfinderz.compliance;

import org.jspecify.annotations.NullMarked;
