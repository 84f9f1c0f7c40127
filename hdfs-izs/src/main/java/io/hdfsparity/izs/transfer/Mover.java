/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.transfer;

import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.izs.apply.BytePacer;
import io.hdfsparity.izs.apply.FileMove;
import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.apply.MoveResult;
import io.hdfsparity.izs.config.ApplyOptions;
import io.hdfsparity.izs.mapping.StorageForm;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Moves files of one file system to other forms, as one process. Thread-safe. */
public final class Mover {
  private final DistributedFileSystem fs;
  private final SwapProtocol swaps;
  private final WorkFolder work;
  private final ApplyOptions options;
  private final MovePoints points;
  private final BytePacer pacer;
  private final Runnable heartbeat;
  private final LongAdder readBytes = new LongAdder();

  /**
   * @param heartbeat called from time to time while bytes are copied
   */
  public Mover(
      DistributedFileSystem fs,
      SwapProtocol swaps,
      WorkFolder work,
      ApplyOptions options,
      MovePoints points,
      Runnable heartbeat) {
    this.fs = fs;
    this.swaps = swaps;
    this.work = work;
    this.options = options;
    this.points = points;
    this.heartbeat = heartbeat;
    this.pacer = new BytePacer(options.bytesPerSecond());
  }

  /**
   * Moves one file.
   *
   * @param inodeId of the file that is meant; another one at the path is refused
   * @throws IOException when the NameNode cannot be asked at all
   */
  public MoveResult move(String path, long inodeId, StorageForm form) throws IOException {
    return new FileMove(path, inodeId, form, new HdfsMoveSteps(this, path, form), points).run();
  }

  /** Bytes of files and copies read so far. */
  public long readBytes() {
    return readBytes.sum();
  }

  DistributedFileSystem fileSystem() {
    return fs;
  }

  SwapProtocol swaps() {
    return swaps;
  }

  WorkFolder work() {
    return work;
  }

  ApplyOptions options() {
    return options;
  }

  MovePoints points() {
    return points;
  }

  /** Holds the thread back as the bandwidth asks for. */
  void wentBy(long bytes) throws IOException {
    readBytes.add(bytes);
    heartbeat.run();
    long waitNs = pacer.took(bytes, System.nanoTime());
    try {
      TimeUnit.NANOSECONDS.sleep(waitNs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot continue: the run is stopping");
    }
  }
}
