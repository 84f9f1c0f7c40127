/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import io.hdfsparity.core.check.ErrorMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * A line of the MSR Cambridge traces (Narayanan, Donnelly, Rowstron: "Write Off-Loading", FAST
 * 2008):
 *
 * <pre>
 * Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime
 * 128166410318060999,wdev,1,Write,3165323264,4096,1189
 * </pre>
 *
 * <p>Timestamp is in ticks of 100 ns, Offset and Size are in bytes. Type is Read or Write, or R or
 * W, in any case. Blanks around a field are no part of it. ResponseTime may be anything, for nobody
 * needs it: programs that make such traces leave it empty, or have fractions or -1 there. All
 * volumes of a trace are one address space: a trace of several volumes must be split before.
 *
 * <p>Stateless.
 */
public final class MsrFormat {
  /** The heading that the first line may be. */
  public static final String HEADING =
      "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime";

  private static final String HEADING_START = "Timestamp,";
  private static final int FIELD_COUNT = 7;
  private static final int SHOWN_CHARS = 40;

  private MsrFormat() {}

  /** Whether a first line is a heading. */
  public static boolean isHeading(String text) {
    return text.stripLeading().regionMatches(true, 0, HEADING_START, 0, HEADING_START.length());
  }

  /**
   * The request of a line.
   *
   * @param text without its end
   * @throws TraceFormatException with value and rule, but without place
   */
  public static ByteRequest parse(String text) throws TraceFormatException {
    List<String> fields = fields(text);
    if (fields.size() != FIELD_COUNT) {
      throw bad("fields", fields.size(), Integer.toString(FIELD_COUNT));
    }
    long timeTicks = number("Timestamp", fields.get(0));
    Access access = access(fields.get(3));
    long offsetBytes = number("Offset", fields.get(4));
    long sizeBytes = number("Size", fields.get(5));
    if (sizeBytes == 0) {
      throw bad("Size", sizeBytes, "> 0");
    }
    if (offsetBytes > Long.MAX_VALUE - sizeBytes) {
      throw bad("Offset", offsetBytes, "an end below 2^63, Size=" + sizeBytes);
    }
    return new ByteRequest(timeTicks, access, offsetBytes, sizeBytes);
  }

  private static List<String> fields(String text) {
    List<String> fields = new ArrayList<>(FIELD_COUNT);
    int start = 0;
    for (int comma = text.indexOf(','); comma >= 0; comma = text.indexOf(',', start)) {
      fields.add(text.substring(start, comma).strip());
      start = comma + 1;
    }
    fields.add(text.substring(start).strip());
    return fields;
  }

  private static Access access(String type) throws TraceFormatException {
    if (type.equalsIgnoreCase("Write") || type.equalsIgnoreCase("W")) {
      return Access.WRITE;
    }
    if (type.equalsIgnoreCase("Read") || type.equalsIgnoreCase("R")) {
      return Access.READ;
    }
    throw bad("Type", shown(type), "Read or Write");
  }

  private static long number(String name, String digits) throws TraceFormatException {
    long value = 0;
    boolean isNumber = !digits.isEmpty();
    for (int i = 0; i < digits.length() && isNumber; i++) {
      int digit = digits.charAt(i) - '0';
      isNumber = digit >= 0 && digit <= 9 && value <= (Long.MAX_VALUE - digit) / 10;
      value = value * 10 + digit;
    }
    if (!isNumber) {
      throw bad(name, shown(digits), "a decimal number from 0 to 2^63-1");
    }
    return value;
  }

  private static String shown(String value) {
    return value.length() <= SHOWN_CHARS ? value : value.substring(0, SHOWN_CHARS) + "...";
  }

  private static TraceFormatException bad(String name, Object value, String rule) {
    return new TraceFormatException(
        ErrorMessage.to("read trace").value(name, value).expected(rule).message());
  }
}
