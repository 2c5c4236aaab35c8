/**
 * Faults that don't belong to one server: lost replies ({@link
 * dev.postcommit.testkit.fault.TcpProxy}), full disks ({@link
 * dev.postcommit.testkit.fault.SmallDisk}) and wrong clocks ({@link
 * dev.postcommit.testkit.fault.JumpingClock}).
 */
@NullMarked
package dev.postcommit.testkit.fault;

import org.jspecify.annotations.NullMarked;
