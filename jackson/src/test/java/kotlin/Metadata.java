package kotlin;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As the compiler of Kotlin marks its classes. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Metadata {}
