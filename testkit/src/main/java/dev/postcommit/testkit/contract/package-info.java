/**
 * What every storage and every broker's publisher must do, as test classes to extend.
 *
 * <p>Extend {@link dev.postcommit.testkit.contract.OutboxContract}, {@link
 * dev.postcommit.testkit.contract.StoreContract}, {@link
 * dev.postcommit.testkit.contract.OrderContract} and {@link
 * dev.postcommit.testkit.contract.AdminContract} once for each layout, and {@link
 * dev.postcommit.testkit.contract.PublisherContract} once for each broker. The numbers in the
 * display names are those of the requirements. For several {@link
 * dev.postcommit.testkit.contract.LayoutSample}s at once, extend a contract in a {@code @Nested}
 * class of a {@code @ParameterizedClass}.
 */
@NullMarked
package dev.postcommit.testkit.contract;

import org.jspecify.annotations.NullMarked;
