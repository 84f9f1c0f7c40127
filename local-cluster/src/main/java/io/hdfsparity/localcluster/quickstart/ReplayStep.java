/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.QuickstartException.require;
import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;

import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.UpdateCounters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Writes windows of a trace to files in place, and has DataNodes tell what that costs. */
record ReplayStep(LocalCluster cluster, FileSystem updating, int seed, Screen screen) {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  /** A window of the trace, at least. */
  private static final long CACHE_BYTES = 8L << 20;

  /** Counters in /jmx are 50 ms old at most. */
  private static final long COUNTED_MS = 300;

  /**
   * Writes windows to a file in place, and has DataNodes tell what they did.
   *
   * @param name of the line that says so
   * @param predicted parity updates
   */
  CasoTables.Row run(String name, long predicted, Path path, WriteWindows windows, Volume content)
      throws Exception {
    UpdateCounters before = cluster.updateCounters();
    SplittableRandom random = new SplittableRandom(seed);
    long ms;
    try (StripedFileUpdater file = open(path)) {
      long begin = System.nanoTime();
      int done = 0;
      for (List<ByteRequest> window : windows.windows()) {
        for (ByteRequest request : window) {
          byte[] bytes = new byte[(int) request.sizeBytes()];
          random.nextBytes(bytes);
          file.write(request.offsetBytes(), ByteBuffer.wrap(bytes));
          content.write(request.offsetBytes(), bytes);
        }
        file.flush();
        screen.progress((double) ++done / windows.windows().size(), "%s, windows", path);
      }
      ms = Texts.msSince(begin);
    }
    TimeUnit.MILLISECONDS.sleep(COUNTED_MS);
    UpdateCounters counted = cluster.updateCounters().since(before);
    require(counted.parityUpdates() > 0, "DataNodes have counted no update of parity");
    return new CasoTables.Row(name, predicted, counted, ms);
  }

  /** Units of a copy may not all be known yet, and a session may still be ending. */
  private StripedFileUpdater open(Path path) throws Exception {
    UpdaterOptions cached = UpdaterOptions.standard().withCache(CACHE_BYTES);
    return Poll.answer(
        "Cannot update " + path,
        TIMEOUT,
        line -> {},
        () -> {
          try {
            return FileUpdates.open(updating, path, cached);
          } catch (IOException e) {
            throw new Poll.NotYet("%s", firstLine(e));
          }
        });
  }
}
