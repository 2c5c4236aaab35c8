/**
 * What must be true of the shop when all is done: {@link
 * dev.postcommit.examples.polyshop.audit.Audit} compares what customers did with what databases and
 * topics hold.
 */
@NullMarked
package dev.postcommit.examples.polyshop.audit;

import org.jspecify.annotations.NullMarked;
