/**
 * The Postgres and the broker of the demo. Start with {@link
 * dev.postcommit.demo.servers.DemoServers}.
 */
@NullMarked
package dev.postcommit.demo.servers;

import org.jspecify.annotations.NullMarked;
