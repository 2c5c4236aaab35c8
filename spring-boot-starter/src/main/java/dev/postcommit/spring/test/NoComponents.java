package dev.postcommit.spring.test;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Excludes the components that scanning would find from a test. All instances are equal. */
final class NoComponents extends TypeExcludeFilter {

  @Override
  public boolean match(MetadataReader reader, MetadataReaderFactory factory) {
    return true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NoComponents;
  }

  @Override
  public int hashCode() {
    return NoComponents.class.hashCode();
  }
}
