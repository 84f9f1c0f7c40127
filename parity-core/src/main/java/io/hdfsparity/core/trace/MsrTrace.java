/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads block traces in the format of the MSR Cambridge traces, see {@link MsrFormat}. The heading
 * may stand in the first line or be missing. Memory is that of one line, of at most {@value
 * #MAX_LINE_BYTES} bytes. Not thread-safe.
 */
public final class MsrTrace extends LineTraceReader<ByteRequest> {
  /** Longest line that is understood, in bytes. */
  public static final int MAX_LINE_BYTES = 4096;

  /**
   * Reads from the start of a stream.
   *
   * @param in plain or gzip; stays open
   * @param listener is called with each bad line that is skipped
   * @throws IOException if the first bytes cannot be read
   */
  public MsrTrace(InputStream in, BadLines badLines, Consumer<BadLine> listener)
      throws IOException {
    super(in, StandardCharsets.ISO_8859_1, MAX_LINE_BYTES, badLines, listener);
  }

  @Override
  protected @Nullable ByteRequest parsed(String text, boolean isFirst) throws TraceFormatException {
    return isFirst && MsrFormat.isHeading(text) ? null : MsrFormat.parse(text);
  }
}
