/** order-service: takes orders, and decides whether one is paid or cancelled. */
@NullMarked
package dev.postcommit.examples.polyshop.order;

import org.jspecify.annotations.NullMarked;
