package dev.postcommit.testkit.explorer.search;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A schedule as one number, whose digits name the actors; the base is their number. */
public final class ScheduleNumber {
  private static final int RADIX = Character.MAX_RADIX;

  private ScheduleNumber() {}

  public static String of(List<Integer> schedule, int actors) {
    BigInteger base = BigInteger.valueOf(actors + 1L);
    BigInteger number = BigInteger.ZERO;
    for (int actor : schedule) {
      number = number.multiply(base).add(BigInteger.valueOf(actor + 1L));
    }
    return number.toString(RADIX);
  }

  public static List<Integer> schedule(String number, int actors) {
    BigInteger base = BigInteger.valueOf(actors + 1L);
    List<Integer> schedule = new ArrayList<>();
    for (BigInteger rest = new BigInteger(number, RADIX);
        rest.signum() > 0;
        rest = rest.divide(base)) {
      schedule.add(rest.mod(base).intValue() - 1);
    }
    Collections.reverse(schedule);
    return schedule;
  }
}
