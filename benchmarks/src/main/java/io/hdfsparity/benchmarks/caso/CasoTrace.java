/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.MsrLine;
import io.hdfsparity.caso.trace.MsrTraceReader;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.caso.workload.Workload;
import io.hdfsparity.caso.workload.WorkloadGenerator;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.BadLines;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.core.trace.TraceFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A trace in memory.
 *
 * @param name of its volume
 * @param isGenerated false: it was recorded
 */
record CasoTrace(String name, boolean isGenerated, RequestTable writes, RequestTable reads) {
  /** The paper's, and a legal cell of HDFS. */
  static final int CELL_BYTES = 4096;

  /**
   * A recorded one, in the format of MSR Cambridge.
   *
   * @throws IOException if a line cannot be understood
   */
  static CasoTrace read(Path file) throws IOException {
    RequestTable.Builder writes = new RequestTable.Builder();
    RequestTable.Builder reads = new RequestTable.Builder();
    try (InputStream in = Files.newInputStream(file)) {
      RequestTable.fill(
          new MsrTraceReader(in, CELL_BYTES, BadLines.FAIL, bad -> {}), writes, reads);
    }
    String name = String.valueOf(file.getFileName()).replaceFirst("\\.csv(\\.gz)?$", "");
    return new CasoTrace(name, false, writes.build(), reads.build());
  }

  /**
   * A made-up one with the published statistics of a volume.
   *
   * @param mostRequests a volume that has more gets as many, in its own proportions
   */
  static CasoTrace generated(String volume, long mostRequests, long seed) throws IOException {
    Workload workload =
        Workload.named(volume)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "Cannot run: volume=" + volume + ", expected one of Table II"));
    return generated(workload, Math.min(mostRequests, workload.reads() + workload.writes()), seed);
  }

  /** A made-up one of any length. */
  static CasoTrace generated(Workload workload, long requests, long seed) throws IOException {
    RequestTable.Builder writes = new RequestTable.Builder();
    RequestTable.Builder reads = new RequestTable.Builder();
    MsrLine cells = new MsrLine(CELL_BYTES);
    WorkloadGenerator generator = new WorkloadGenerator(workload, requests, seed);
    try {
      for (Optional<ByteRequest> next = generator.next();
          next.isPresent();
          next = generator.next()) {
        CellRequest request = cells.of(next.get());
        (request.access() == Access.WRITE ? writes : reads).add(request);
      }
    } catch (TraceFormatException e) {
      throw new IOException(e.getMessage(), e);
    }
    return new CasoTrace(workload.word(), true, writes.build(), reads.build());
  }

  /** As tables show it. */
  String label() {
    return isGenerated ? name + " (made up)" : name;
  }
}
