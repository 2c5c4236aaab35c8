/** The settings of an application, and the errors about them. */
@NullMarked
package dev.postcommit.spring.settings;

import org.jspecify.annotations.NullMarked;
