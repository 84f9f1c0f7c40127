/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.trace;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads block traces in the format of the MSR Cambridge traces (Narayanan, Donnelly, Rowstron:
 * "Write Off-Loading", FAST 2008), plain or compressed with gzip, which is told from the first two
 * bytes:
 *
 * <pre>
 * Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime
 * 128166410318060999,wdev,1,Write,3165323264,4096,1189
 * </pre>
 *
 * <p>Timestamp and ResponseTime are in ticks of 100 ns, Offset and Size in bytes. The heading may
 * stand in the first line or be missing. Lines end in LF or CR LF. All volumes of the stream are
 * one address space: a trace of several volumes must be split before.
 *
 * <p>Memory is that of one line, of at most {@value #MAX_LINE_BYTES} bytes; a longer one is bad.
 * Does not close the stream. Not thread-safe.
 */
public final class MsrTraceReader implements TraceSource {
  /** Longest line that is understood, in bytes. */
  public static final int MAX_LINE_BYTES = 4096;

  private static final String HEADING_START = "Timestamp,";
  private static final int FIELD_COUNT = 7;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int SHOWN_CHARS = 40;

  private final InputStream in;
  private final int cellSizeBytes;
  private final BadLines badLines;
  private final Consumer<BadLine> listener;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int bufferAt;
  private int bufferEnd;
  private final byte[] line = new byte[MAX_LINE_BYTES];
  private int lineLength;
  private long lineNumber;
  private long requestCount;
  private long badLineCount;

  /**
   * Reads from the start of a stream.
   *
   * @param in plain or gzip; stays open
   * @param cellSizeBytes size of a cell, > 0
   * @param listener is told each bad line that is skipped
   * @throws IOException if the first bytes cannot be read
   */
  public MsrTraceReader(
      InputStream in, int cellSizeBytes, BadLines badLines, Consumer<BadLine> listener)
      throws IOException {
    Checks.argument(cellSizeBytes > 0, "read a trace", "cellSizeBytes", cellSizeBytes, "> 0");
    this.in = plain(in);
    this.cellSizeBytes = cellSizeBytes;
    this.badLines = badLines;
    this.listener = listener;
  }

  private static InputStream plain(InputStream in) throws IOException {
    PushbackInputStream pushback = new PushbackInputStream(in, 2);
    byte[] magic = pushback.readNBytes(2);
    pushback.unread(magic);
    boolean isGzip =
        magic.length == 2
            && ((magic[0] & 0xff) | (magic[1] & 0xff) << 8) == GZIPInputStream.GZIP_MAGIC;
    return isGzip ? new GZIPInputStream(pushback, BUFFER_BYTES) : pushback;
  }

  /** Requests returned so far. */
  public long requestCount() {
    return requestCount;
  }

  /** Lines skipped so far. */
  public long badLineCount() {
    return badLineCount;
  }

  @Override
  public @Nullable CellRequest next() throws IOException {
    while (readLine()) {
      lineNumber++;
      String text = lineLength > MAX_LINE_BYTES ? "" : text();
      if (lineNumber == 1 && text.startsWith(HEADING_START)) {
        continue;
      }
      try {
        if (lineLength > MAX_LINE_BYTES) {
          throw bad("bytes", "more than " + MAX_LINE_BYTES, "at most " + MAX_LINE_BYTES);
        }
        CellRequest request = parsed(text);
        requestCount++;
        return request;
      } catch (TraceFormatException e) {
        if (badLines == BadLines.FAIL) {
          throw e;
        }
        badLineCount++;
        listener.accept(new BadLine(lineNumber, String.valueOf(e.getMessage())));
      }
    }
    return null;
  }

  private String text() {
    int length = lineLength > 0 && line[lineLength - 1] == '\r' ? lineLength - 1 : lineLength;
    return new String(line, 0, length, StandardCharsets.ISO_8859_1);
  }

  private CellRequest parsed(String text) throws TraceFormatException {
    List<String> fields = fields(text);
    if (fields.size() != FIELD_COUNT) {
      throw bad("fields", fields.size(), Integer.toString(FIELD_COUNT));
    }
    long timeTicks = number("Timestamp", fields.get(0));
    Access access = access(fields.get(3));
    long offsetBytes = number("Offset", fields.get(4));
    long sizeBytes = number("Size", fields.get(5));
    number("ResponseTime", fields.get(6));
    if (sizeBytes == 0) {
      throw bad("Size", sizeBytes, "> 0");
    }
    if (offsetBytes > Long.MAX_VALUE - sizeBytes) {
      throw bad("Offset", offsetBytes, "an end below 2^63, Size=" + sizeBytes);
    }
    long firstCell = offsetBytes / cellSizeBytes;
    long cellCount = (offsetBytes + sizeBytes - 1) / cellSizeBytes - firstCell + 1;
    if (cellCount > CellRequest.MAX_CELL_COUNT) {
      throw bad(
          "Size",
          sizeBytes,
          "at most " + CellRequest.MAX_CELL_COUNT + " cells of " + cellSizeBytes + " bytes");
    }
    return new CellRequest(timeTicks, access, firstCell, (int) cellCount);
  }

  private static List<String> fields(String text) {
    List<String> fields = new ArrayList<>(FIELD_COUNT);
    int start = 0;
    for (int comma = text.indexOf(','); comma >= 0; comma = text.indexOf(',', start)) {
      fields.add(text.substring(start, comma));
      start = comma + 1;
    }
    fields.add(text.substring(start));
    return fields;
  }

  private Access access(String type) throws TraceFormatException {
    return switch (type) {
      case "Read" -> Access.READ;
      case "Write" -> Access.WRITE;
      default -> throw bad("Type", shown(type), "Read or Write");
    };
  }

  private long number(String name, String digits) throws TraceFormatException {
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

  private TraceFormatException bad(String name, Object value, String rule) {
    return new TraceFormatException(
        Refusal.to("read trace")
            .value(name, value)
            .expected(rule)
            .where("line", lineNumber)
            .message());
  }

  /** Reads a line without its end; lineLength is above the limit where it was too long. */
  private boolean readLine() throws IOException {
    lineLength = 0;
    boolean any = false;
    while (true) {
      if (bufferAt == bufferEnd) {
        bufferAt = 0;
        bufferEnd = Math.max(0, in.read(buffer));
        if (bufferEnd == 0) {
          return any;
        }
      }
      any = true;
      byte next = buffer[bufferAt++];
      if (next == '\n') {
        return true;
      }
      if (lineLength < MAX_LINE_BYTES) {
        line[lineLength++] = next;
      } else {
        lineLength = MAX_LINE_BYTES + 1;
      }
    }
  }
}
