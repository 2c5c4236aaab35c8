package dev.postcommit.server.http;

import dev.postcommit.server.table.Texts;
import dev.postcommit.server.table.TopicJson;
import dev.postcommit.server.table.Topics;
import dev.postcommit.store.Decision;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The topics that cannot be sent to, for which events of a relay's table wait. */
@RestController
@RequestMapping(AdminConfiguration.ROOT + "/relays/{relay}/topics")
final class TopicController {
  static final Set<String> GIVE_UP_FIELDS = Set.of("topic", "operator", "reason");

  private static final int LONGEST_TOPIC = 250;

  private final AdminResponses responses;

  TopicController(AdminResponses responses) {
    this.responses = responses;
  }

  @GetMapping
  ResponseEntity<byte[]> list(@PathVariable("relay") String name) {
    return responses.answer(
        name,
        relay -> TopicJson.list(relay.layout(), Topics.list(relay.operators(), relay.layout())));
  }

  @PostMapping(path = "/give-up", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> giveUp(@PathVariable("relay") String name, InputStream in)
      throws IOException {
    JsonBody body = JsonBody.read(in, GIVE_UP_FIELDS);
    String topic =
        body.words("topic")
            .orElseThrow(() -> RequestException.badRequest("topic is missing; say which one"));
    Decision decision = body.decision(true);
    return responses.answer(
        name,
        relay -> {
          Topics.giveUp(relay.operators(), topic, decision, relay.place());
          AdminResponses.changed(
              relay,
              decision.operator(),
              "gave up the events for topic " + Texts.cell(topic, LONGEST_TOPIC));
          return TopicJson.givenUp(relay.layout(), topic, decision);
        });
  }
}
