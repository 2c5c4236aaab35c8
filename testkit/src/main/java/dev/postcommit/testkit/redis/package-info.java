/** A real Redis: {@link dev.postcommit.testkit.redis.RedisServer}. */
@NullMarked
package dev.postcommit.testkit.redis;

import org.jspecify.annotations.NullMarked;
