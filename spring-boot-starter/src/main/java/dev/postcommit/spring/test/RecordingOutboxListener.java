package dev.postcommit.spring.test;

import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Empties the outbox before each test method, as they share an application. */
final class RecordingOutboxListener extends AbstractTestExecutionListener {

  @Override
  public void beforeTestMethod(TestContext test) {
    if (test.hasApplicationContext()) {
      ApplicationContext application = test.getApplicationContext();
      application.getBeanProvider(RecordingOutbox.class).forEach(RecordingOutbox::clear);
    }
  }
}
