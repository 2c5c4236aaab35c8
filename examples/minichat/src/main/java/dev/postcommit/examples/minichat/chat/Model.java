package dev.postcommit.examples.minichat.chat;

import dev.postcommit.examples.minichat.usage.TokenUsage;
import java.util.List;
import java.util.Locale;

/** A model that answers, and what its tokens cost. */
public enum Model {
  /** Small and cheap. */
  STANDARD(1_000, 4_000),
  /** Large and dear; who cannot afford it gets the other. */
  PREMIUM(10_000, 40_000);

  private static final int BYTES_PER_TOKEN = 4;
  private static final int OVERHEAD_TOKENS = 100;
  private static final int ANSWER_TOKENS = 500;

  private final long microPer1000Input;
  private final long microPer1000Output;

  Model(long microPer1000Input, long microPer1000Output) {
    this.microPer1000Input = microPer1000Input;
    this.microPer1000Output = microPer1000Output;
  }

  /** The models to try, if this one was asked for. */
  List<Model> affordable() {
    return this == PREMIUM ? List.of(PREMIUM, STANDARD) : List.of(STANDARD);
  }

  /** What a turn is expected to cost at most. */
  long estimateMicro(String prompt) {
    int tokens = prompt.length() / BYTES_PER_TOKEN + OVERHEAD_TOKENS;
    return costMicro(TokenUsage.of(tokens, ANSWER_TOKENS));
  }

  /** What these tokens cost. */
  long costMicro(TokenUsage usage) {
    long thousandths =
        usage.inputTokens() * microPer1000Input + usage.outputTokens() * microPer1000Output;
    return (thousandths + 999) / 1000;
  }

  /** Its name in tables and events. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Model of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
