package dev.postcommit.testkit.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The few forms of DER that certificates consist of. */
final class Der {
  private static final int BOOLEAN = 0x01;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int OBJECT_ID = 0x06;
  private static final int UTC_TIME = 0x17;
  private static final int SEQUENCE = 0x30;
  private static final int CONTEXT = 0x80;
  private static final int CONSTRUCTED = 0x20;

  /** The numbers of a DNS name and an IP address among the names that a certificate is for. */
  private static final int DNS_NAME = 2;

  private static final int IP_ADDRESS = 7;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return form(SEQUENCE, parts);
  }

  /** A part with a number of its own around it. */
  static byte[] tagged(int number, byte[] part) {
    return form(CONTEXT | CONSTRUCTED | number, part);
  }

  static byte[] integer(BigInteger value) {
    return form(INTEGER, value.toByteArray());
  }

  static byte[] bool(boolean value) {
    return form(BOOLEAN, new byte[] {(byte) (value ? 0xff : 0)});
  }

  static byte[] bits(byte[] wholeBytes) {
    return form(BIT_STRING, new byte[] {0}, wholeBytes);
  }

  static byte[] time(Instant time) {
    return form(UTC_TIME, TIME.format(time).getBytes(US_ASCII));
  }

  static byte[] objectId(String dotted) {
    String[] numbers = dotted.split("\\.", -1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Integer.parseInt(numbers[0]) * 40 + Integer.parseInt(numbers[1]));
    for (int i = 2; i < numbers.length; i++) {
      int number = Integer.parseInt(numbers[i]);
      for (int shift = 28; shift >= 0; shift -= 7) {
        if (number >>> shift != 0 || shift == 0) {
          bytes.write(((number >>> shift) & 0x7f) | (shift == 0 ? 0 : 0x80));
        }
      }
    }
    return form(OBJECT_ID, bytes.toByteArray());
  }

  static byte[] extension(String id, boolean critical, byte[] value) {
    byte[] octets = form(OCTET_STRING, value);
    return critical ? sequence(objectId(id), bool(true), octets) : sequence(objectId(id), octets);
  }

  /** The names and addresses that a certificate is for. */
  static byte[] hosts(String... hosts) {
    byte[][] names = new byte[hosts.length][];
    for (int i = 0; i < hosts.length; i++) {
      names[i] =
          hosts[i].matches("[0-9.]+")
              ? form(CONTEXT | IP_ADDRESS, address(hosts[i]))
              : form(CONTEXT | DNS_NAME, hosts[i].getBytes(US_ASCII));
    }
    return sequence(names);
  }

  private static byte[] address(String dotted) {
    String[] numbers = dotted.split("\\.", -1);
    byte[] address = new byte[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      address[i] = (byte) Integer.parseInt(numbers[i]);
    }
    return address;
  }

  private static byte[] form(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(tag);
    int length = content.size();
    if (length >= 0x100) {
      whole.write(0x82);
      whole.write(length >>> 8);
    } else if (length >= 0x80) {
      whole.write(0x81);
    }
    whole.write(length & 0xff);
    whole.writeBytes(content.toByteArray());
    return whole.toByteArray();
  }
}
