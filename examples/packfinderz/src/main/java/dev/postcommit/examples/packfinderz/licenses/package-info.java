/**
 * Licenses of stores. Start with {@link
 * dev.postcommit.examples.packfinderz.licenses.LicenseService}.
 */
@NullMarked
package dev.postcommit.examples.packfinderz.licenses;

import org.jspecify.annotations.NullMarked;
