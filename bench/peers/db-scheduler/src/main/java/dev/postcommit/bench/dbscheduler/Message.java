package dev.postcommit.bench.dbscheduler;

import java.io.Serializable;

/**
 * What a task is to send.
 *
 * @param key the message's key
 * @param body the message's body
 */
record Message(String key, String body) implements Serializable {}
