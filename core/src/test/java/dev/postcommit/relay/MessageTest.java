package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageTest {

  @Test
  void aBlankTopicIsRefused() {
    for (String topic : List.of("", " ", "\t\n")) {
      assertThatThrownBy(() -> new Message(topic, "key", Map.of(), new byte[0]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("the topic is blank; ");
    }
  }
}
