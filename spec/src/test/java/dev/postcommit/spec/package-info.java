/** Checks the specification: start with {@link dev.postcommit.spec.SpecificationIT}. */
@NullMarked
package dev.postcommit.spec;

import org.jspecify.annotations.NullMarked;
