/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.trace;

import io.hdfsparity.core.trace.BadLine;
import io.hdfsparity.core.trace.BadLines;
import io.hdfsparity.core.trace.LineTraceReader;
import io.hdfsparity.core.trace.TraceFormatException;
import io.hdfsparity.core.trace.TraceVolumes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads block traces in the format of the MSR Cambridge traces, see {@link MsrLine}. The heading
 * may stand in the first line or be missing. Memory is that of one line, of at most {@value
 * #MAX_LINE_BYTES} bytes. Not thread-safe.
 */
public final class MsrTraceReader extends LineTraceReader<CellRequest> implements TraceSource {
  /** Longest line that is understood, in bytes. */
  public static final int MAX_LINE_BYTES = 4096;

  private final MsrLine format;
  private final TraceVolumes volumes;

  /**
   * Reads all requests, from the start of a stream.
   *
   * @param in plain or gzip; stays open
   * @param cellSizeBytes size of a cell, > 0
   * @param listener is called with each bad line that is skipped
   * @throws IOException if the first bytes cannot be read
   */
  public MsrTraceReader(
      InputStream in, int cellSizeBytes, BadLines badLines, Consumer<BadLine> listener)
      throws IOException {
    this(in, cellSizeBytes, badLines, listener, new TraceVolumes());
  }

  /**
   * Reads the requests of some volumes, from the start of a stream.
   *
   * @param in plain or gzip; stays open
   * @param cellSizeBytes size of a cell, > 0
   * @param listener is called with each bad line that is skipped
   * @param volumes says which requests are taken, and gets what volumes there are; may hold those
   *     of an earlier file
   * @throws IOException if the first bytes cannot be read
   */
  public MsrTraceReader(
      InputStream in,
      int cellSizeBytes,
      BadLines badLines,
      Consumer<BadLine> listener,
      TraceVolumes volumes)
      throws IOException {
    super(in, StandardCharsets.ISO_8859_1, MAX_LINE_BYTES, badLines, listener);
    this.format = new MsrLine(cellSizeBytes);
    this.volumes = volumes;
  }

  @Override
  protected @Nullable CellRequest parsed(String text, boolean isFirst) throws TraceFormatException {
    if (isFirst && MsrLine.isHeading(text)) {
      return null;
    }
    CellRequest request = format.parse(text);
    return volumes.takes(text) ? request : null;
  }
}
