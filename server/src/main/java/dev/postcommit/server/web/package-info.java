/** What the process serves by HTTP; {@link dev.postcommit.server.web.WebServer} comes first. */
@NullMarked
package dev.postcommit.server.web;

import org.jspecify.annotations.NullMarked;
