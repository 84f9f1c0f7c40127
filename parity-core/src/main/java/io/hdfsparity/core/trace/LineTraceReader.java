/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace of one request a line, plain or compressed with gzip, which is recognized by the
 * first two bytes. Lines end in LF or CR LF. A mark of UTF-8 at the start (EF BB BF) is dropped,
 * and blank lines are ignored: both are what other programs leave behind, and say nothing.
 *
 * <p>Memory is that of one line; one that is longer than the format allows is bad. A bad line gets
 * its number and reason, and is skipped and counted or ends the reading. Does not close the stream.
 * Not thread-safe.
 *
 * @param <T> a request
 */
public abstract class LineTraceReader<T> {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final byte[] UTF_8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final InputStream in;
  private final Charset charset;
  private final BadLines badLines;
  private final Consumer<BadLine> listener;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int bufferAt;
  private int bufferEnd;
  private boolean hasBegun;
  private final byte[] line;
  private int lineLength;
  private long lineNumber;
  private long requestCount;
  private long ignoredLineCount;
  private long badLineCount;

  /**
   * Reads from the start of a stream.
   *
   * @param in plain or gzip; stays open
   * @param maxLineBytes longest line that is understood
   * @param listener is called with each bad line that is skipped
   * @throws IOException if the first bytes cannot be read
   */
  protected LineTraceReader(
      InputStream in,
      Charset charset,
      int maxLineBytes,
      BadLines badLines,
      Consumer<BadLine> listener)
      throws IOException {
    this.in = plain(in);
    this.charset = charset;
    this.line = new byte[maxLineBytes];
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

  /**
   * The request of a line, or null if the line has none.
   *
   * @param text without its end, not blank
   * @param isFirst whether it is the first line, which may be a heading
   * @throws TraceFormatException with value and rule, but without place
   */
  protected abstract @Nullable T parsed(String text, boolean isFirst) throws TraceFormatException;

  /** Requests returned so far. */
  public final long requestCount() {
    return requestCount;
  }

  /** Lines so far that are understood and have no request; blank ones and a heading included. */
  public final long ignoredLineCount() {
    return ignoredLineCount;
  }

  /** Lines skipped so far. */
  public final long badLineCount() {
    return badLineCount;
  }

  /**
   * The next request, or null after the last one.
   *
   * @throws TraceFormatException in strict mode, at the first bad line
   * @throws IOException if the bytes cannot be read, a damaged compressed stream included
   */
  public final @Nullable T next() throws IOException {
    while (readLine()) {
      lineNumber++;
      try {
        if (lineLength > line.length) {
          throw new TraceFormatException(
              ErrorMessage.to("read trace")
                  .value("bytes", "more than " + line.length)
                  .expected("at most " + line.length)
                  .message());
        }
        String text = text();
        T request = text.isBlank() ? null : parsed(text, lineNumber == 1);
        if (request != null) {
          requestCount++;
          return request;
        }
        ignoredLineCount++;
      } catch (TraceFormatException e) {
        String reason = e.getMessage() + ", line=" + lineNumber;
        if (badLines == BadLines.FAIL) {
          throw new TraceFormatException(reason);
        }
        badLineCount++;
        listener.accept(new BadLine(lineNumber, reason));
      }
    }
    return null;
  }

  private String text() {
    int length = lineLength > 0 && line[lineLength - 1] == '\r' ? lineLength - 1 : lineLength;
    return new String(line, 0, length, charset);
  }

  /** Reads what comes next into the empty buffer; leaves it empty at the end. */
  private void fill() throws IOException {
    bufferAt = 0;
    bufferEnd = 0;
    if (!hasBegun) {
      hasBegun = true;
      bufferEnd = in.readNBytes(buffer, 0, UTF_8_MARK.length);
      if (Arrays.equals(buffer, 0, bufferEnd, UTF_8_MARK, 0, UTF_8_MARK.length)) {
        bufferEnd = 0;
      }
    }
    if (bufferEnd == 0) {
      bufferEnd = Math.max(0, in.read(buffer));
    }
  }

  /** Reads a line without its end; lineLength is above the limit where it was too long. */
  private boolean readLine() throws IOException {
    lineLength = 0;
    boolean any = false;
    while (true) {
      if (bufferAt == bufferEnd) {
        fill();
        if (bufferEnd == 0) {
          return any;
        }
      }
      any = true;
      byte next = buffer[bufferAt++];
      if (next == '\n') {
        return true;
      }
      if (lineLength < line.length) {
        line[lineLength++] = next;
      } else {
        lineLength = line.length + 1;
      }
    }
  }
}
