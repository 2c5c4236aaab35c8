/** Helpers shared by the packages of this module. */
@NullMarked
package dev.postcommit.internal;

import org.jspecify.annotations.NullMarked;
