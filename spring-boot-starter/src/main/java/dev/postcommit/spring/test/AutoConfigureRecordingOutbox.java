package dev.postcommit.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Puts a {@link RecordingOutbox} in the place of the outbox: no table is written to, and there is
 * no relay and no broker. Goes with {@code @SpringBootTest} and with slices such as
 * {@code @JdbcTest} and {@code @DataJpaTest}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@TestPropertySource(properties = "spring.test.postcommit.recording=true")
public @interface AutoConfigureRecordingOutbox {}
