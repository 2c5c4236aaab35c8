package dev.postcommit.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

/** Which properties somebody has set; a default is not set by anybody. */
final class Given {
  private final Binder binder;

  Given(Environment environment) {
    this.binder = Binder.get(environment);
  }

  /** Whether a setting of ours has a value, by its name without {@code postcommit.}. */
  boolean has(String name) {
    return text(PostcommitSettings.PREFIX + name) != null;
  }

  /** The value of any property, whoever's it is, in whatever form it is written. */
  @Nullable String text(String property) {
    return binder.bind(property, String.class).orElse(null);
  }

  /** The values of any property that is a list, however it is written; empty if it is not set. */
  List<String> texts(String property) {
    return binder.bind(property, Bindable.listOf(String.class)).orElse(List.of());
  }

  /** Refuses a setting that another one leaves without effect. */
  void refuse(String name, String why, String instead) {
    if (has(name)) {
      throw invalid(name, text(PostcommitSettings.PREFIX + name), why + "; " + instead);
    }
  }

  static InvalidConfigurationPropertyValueException invalid(
      String name, @Nullable Object value, String reason) {
    return new InvalidConfigurationPropertyValueException(
        PostcommitSettings.PREFIX + name, value, reason);
  }
}
