/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.localcluster.LiveFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the engines of a cluster keep of the protocol in their state files, {@code
 * ecupdate/…/blk_<id>.state}. Immutable.
 *
 * @param files there are
 * @param bytes of all
 * @param slots cells that they tell of; of others nothing is kept
 */
record StateFiles(long files, long bytes, long slots) {
  private static final HeaderFormat FORMAT = new HeaderFormat("ECUPSTAT", 1, 2);

  /** See ReplicaState: upTo (8), fresh (1), scheme (1), reservedBytes (8), utility (8). */
  private static final int RUNS_OFFSET = 26;

  /** First stripe (4), stripes (4), epoch (8). */
  private static final int RUN_BYTES = 16;

  /** Those below a folder. */
  static StateFiles below(Path folder) throws IOException {
    List<StateFiles> all = new ArrayList<>();
    LiveFolder.visit(
        folder,
        (file, attributes) -> {
          String name = String.valueOf(file.getFileName());
          if (name.startsWith("blk_") && name.endsWith(".state")) {
            all.add(of(Files.readAllBytes(file), file.toString()));
          }
        });
    return all.stream().reduce(new StateFiles(0, 0, 0), StateFiles::plus);
  }

  /** One file. */
  static StateFiles of(byte[] bytes, String place) throws IOException {
    ByteBuffer file = ByteBuffer.wrap(bytes);
    int version = FORMAT.decode(file, place).version();
    file.position(file.position() + RUNS_OFFSET);
    long slots = 0;
    if (version > 1) {
      for (int left = file.getInt(); left > 0; left--) {
        slots += file.getInt(file.position() + Integer.BYTES);
        file.position(file.position() + RUN_BYTES);
      }
    }
    return new StateFiles(1, bytes.length, slots + file.getInt());
  }

  StateFiles plus(StateFiles other) {
    return new StateFiles(files + other.files, bytes + other.bytes, slots + other.slots);
  }

  /** Not a number without cells. */
  double bytesPerSlot() {
    return slots == 0 ? Double.NaN : (double) bytes / slots;
  }
}
