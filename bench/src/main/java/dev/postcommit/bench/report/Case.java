package dev.postcommit.bench.report;

/** A scenario in one of its variants. */
record Case(String scenario, String variant) {

  /** Its name as part of a file's. */
  String fileName() {
    return variant.isEmpty() ? scenario : scenario + "-" + variant;
  }

  /** What the variant counts; zero if it does not. */
  double number() {
    return isNumber() ? Double.parseDouble(variant) : 0;
  }

  private boolean isNumber() {
    return variant.matches("\\d{1,15}");
  }

  /** The variant for people: what it counts stands behind a number. */
  String title(String unit) {
    if (!isNumber()) {
      return variant;
    }
    String units = variant.equals("1") ? unit.replaceAll("s$", "") : unit;
    return (Numbers.count(number()) + " " + units).strip();
  }
}
