/** Chats, turns and quotas. Start at {@link dev.postcommit.examples.minichat.chat.ChatService}. */
@NullMarked
package dev.postcommit.examples.minichat.chat;

import org.jspecify.annotations.NullMarked;
