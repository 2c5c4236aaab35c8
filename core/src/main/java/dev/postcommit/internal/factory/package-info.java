/** Creates the implementation for a layout. The public API knows no other internal package. */
@NullMarked
package dev.postcommit.internal.factory;

import org.jspecify.annotations.NullMarked;
