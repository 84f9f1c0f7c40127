/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.benchmarks.rounds.TraceFile;
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
import java.nio.file.FileSystemException;
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
   * @throws IOException naming the file, if a line cannot be understood
   */
  static CasoTrace read(Path file) throws IOException {
    return read(file, Long.MAX_VALUE);
  }

  /** The same, of which what comes after some requests is not read. */
  static CasoTrace read(Path file, long maxRequests) throws IOException {
    RequestTable.Builder writes = new RequestTable.Builder();
    RequestTable.Builder reads = new RequestTable.Builder();
    try (InputStream in = Files.newInputStream(file)) {
      MsrTraceReader trace = new MsrTraceReader(in, CELL_BYTES, BadLines.FAIL, bad -> {});
      for (long count = 0; count < maxRequests; count++) {
        CellRequest next = trace.next();
        if (next == null) {
          break;
        }
        (next.access() == Access.WRITE ? writes : reads).add(next);
      }
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("Cannot read a trace: " + e.getMessage() + ", file=" + file, e);
    }
    return new CasoTrace(TraceFile.label(file), false, writes.build(), reads.build());
  }

  /**
   * A made-up one with the published statistics of a volume.
   *
   * @param maxRequests a volume that has more gets as many, in its own proportions
   */
  static CasoTrace generated(String volume, long maxRequests, long seed) throws IOException {
    Workload workload =
        Workload.named(volume)
            .orElseThrow(() -> new BadOption("volumes", volume, "some of Table II of the paper"));
    return generated(workload, Math.min(maxRequests, workload.reads() + workload.writes()), seed);
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
