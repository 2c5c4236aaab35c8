/** auth-service: users register. */
@NullMarked
package dev.postcommit.examples.polyshop.auth;

import org.jspecify.annotations.NullMarked;
