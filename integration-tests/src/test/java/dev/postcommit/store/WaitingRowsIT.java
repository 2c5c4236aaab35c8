package dev.postcommit.store;

import dev.postcommit.fixture.PackFinderzIndexes;
import dev.postcommit.testkit.contract.Samples;
import org.junit.jupiter.api.Nested;

/** What claims read while many events wait, for each layout whose claims read rows in order. */
class WaitingRowsIT {
  @Nested
  class Modkit extends WaitingRows {
    Modkit() {
      super(Samples.MODKIT);
    }
  }

  @Nested
  class Logistik extends WaitingHeldRows {
    Logistik() {
      super(Samples.LOGISTIK);
    }
  }

  @Nested
  class PackFinderz extends WaitingHeldRows {
    PackFinderz() {
      super(Samples.PACKFINDERZ);
    }

    @Override
    protected void createTables() {
      super.createTables();
      PackFinderzIndexes.STATEMENTS.forEach(this::execute);
    }
  }

  @Nested
  class PolyShop extends WaitingHeldRows {
    PolyShop() {
      super(Samples.POLYSHOP);
    }
  }
}
