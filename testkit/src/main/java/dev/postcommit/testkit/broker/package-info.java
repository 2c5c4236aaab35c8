/**
 * What the module of every broker must do besides sending, as test classes to extend: {@link
 * dev.postcommit.testkit.broker.PublishOnlyContract} and {@link
 * dev.postcommit.testkit.broker.BrokerConsumerContract}.
 */
@NullMarked
package dev.postcommit.testkit.broker;

import org.jspecify.annotations.NullMarked;
