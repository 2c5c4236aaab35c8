/**
 * The workload of the demo: transactions that write orders and their events. Start with {@link
 * dev.postcommit.demo.orders.OrderWriter}.
 */
@NullMarked
package dev.postcommit.demo.orders;

import org.jspecify.annotations.NullMarked;
