/** Helpers shared by Postcommit's own packages; not part of the API. */
@NullMarked
package dev.postcommit.internal;

import org.jspecify.annotations.NullMarked;
