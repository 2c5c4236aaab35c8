/** Access to Spring's transactions; not for use by applications. */
@NullMarked
package dev.postcommit.spring.internal;

import org.jspecify.annotations.NullMarked;
