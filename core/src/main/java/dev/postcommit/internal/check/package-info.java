/** Checks of a table before it is used: columns, indexes, privileges, server settings. */
@NullMarked
package dev.postcommit.internal.check;

import org.jspecify.annotations.NullMarked;
