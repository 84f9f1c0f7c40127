/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.trace;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.core.trace.MsrFormat;
import io.hdfsparity.core.trace.TraceFormatException;

/** A line of the MSR Cambridge traces, see {@link MsrFormat}, in cells. Immutable, thread-safe. */
public final class MsrLine {
  /** The heading that the first line may be. */
  public static final String HEADING = MsrFormat.HEADING;

  private final int cellSizeBytes;

  /**
   * @param cellSizeBytes size of a cell, > 0
   */
  public MsrLine(int cellSizeBytes) {
    Checks.argument(cellSizeBytes > 0, "read a trace", "cellSizeBytes", cellSizeBytes, "> 0");
    this.cellSizeBytes = cellSizeBytes;
  }

  /** Whether a first line is a heading. */
  public static boolean isHeading(String text) {
    return MsrFormat.isHeading(text);
  }

  /**
   * The request of a line.
   *
   * @param text without its end
   * @throws TraceFormatException with value and rule, but without place
   */
  public CellRequest parse(String text) throws TraceFormatException {
    return of(MsrFormat.parse(text));
  }

  /**
   * A request in cells.
   *
   * @throws TraceFormatException if it has more than {@link CellRequest#MAX_CELL_COUNT}
   */
  public CellRequest of(ByteRequest request) throws TraceFormatException {
    long end = request.offsetBytes() + request.sizeBytes();
    long firstCell = request.offsetBytes() / cellSizeBytes;
    long cellCount = (end - 1) / cellSizeBytes - firstCell + 1;
    if (cellCount > CellRequest.MAX_CELL_COUNT) {
      throw new TraceFormatException(
          ErrorMessage.to("read trace")
              .value("Size", request.sizeBytes())
              .expected(
                  "at most " + CellRequest.MAX_CELL_COUNT + " cells of " + cellSizeBytes + " bytes")
              .message());
    }
    return new CellRequest(request.timeTicks(), request.access(), firstCell, (int) cellCount);
  }
}
