package dev.postcommit.relay.topics;

import dev.postcommit.testkit.contract.Samples;
import org.junit.jupiter.api.Nested;

/** A topic that takes no messages, in every layout. */
class MissingTopicIT {

  @Nested
  class Native extends MissingTopicEnds {
    Native() {
      super(Samples.NATIVE);
    }
  }

  @Nested
  class Log extends MissingTopic {
    Log() {
      super(Samples.LOG);
    }
  }

  @Nested
  class Modkit extends MissingTopic {
    Modkit() {
      super(Samples.MODKIT);
    }
  }

  @Nested
  class Logistik extends MissingTopic {
    Logistik() {
      super(Samples.LOGISTIK);
    }
  }

  @Nested
  class PackFinderz extends MissingTopic {
    PackFinderz() {
      super(Samples.PACKFINDERZ);
    }
  }

  @Nested
  class PolyShop extends MissingTopicEnds {
    PolyShop() {
      super(Samples.POLYSHOP);
    }
  }

  @Nested
  class HeldNative extends MissingTopic {
    HeldNative() {
      super(Samples.HELD_NATIVE);
    }
  }
}
