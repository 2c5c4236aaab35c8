/** What all storage styles share; each style has a package of its own below this one. */
@NullMarked
package dev.postcommit.internal.store;

import org.jspecify.annotations.NullMarked;
