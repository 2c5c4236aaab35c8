/**
 * What the process serves by HTTP: health, metrics and the admin API. Start with {@link
 * dev.postcommit.server.http.WebServer}.
 */
@NullMarked
package dev.postcommit.server.http;

import org.jspecify.annotations.NullMarked;
