/**
 * inventory-service: reserves stock for orders, confirms it when they are paid, releases it when
 * they are cancelled.
 */
@NullMarked
package dev.postcommit.examples.polyshop.inventory;

import org.jspecify.annotations.NullMarked;
