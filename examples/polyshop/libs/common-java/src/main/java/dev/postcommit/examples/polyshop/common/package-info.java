/**
 * What PolyShop's Java services share. A service that emits events imports {@link
 * dev.postcommit.examples.polyshop.common.OutboxConfiguration}, saves what {@link
 * dev.postcommit.examples.polyshop.common.DomainEventFactory} makes through {@link
 * dev.postcommit.examples.polyshop.common.OutboxEventRepository}, and is done. One that consumes
 * imports {@link dev.postcommit.examples.polyshop.common.ConsumerConfiguration} and has a {@link
 * dev.postcommit.examples.polyshop.common.Subscriber}.
 */
@NullMarked
package dev.postcommit.examples.polyshop.common;

import org.jspecify.annotations.NullMarked;
