/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Programs that change files in place, each its own, and Hadoop's own client, which reads pieces of
 * them and checks each.
 */
final class UpdatePrograms {
  private static final int MAX_PIECES = 32;
  private static final int SMALL_IN = 4;

  private UpdatePrograms() {}

  /**
   * One that updates each file, and readers.
   *
   * @param files by path
   */
  static List<Load.Program> of(FileSystem updating, FileSystem stock, Map<String, Pieces> files) {
    List<Load.Program> programs = new ArrayList<>();
    files.forEach(
        (path, pieces) -> {
          SplittableRandom random = new SplittableRandom(programs.size() + 1);
          programs.add(load -> update(load, updating, path, pieces, random));
        });
    List<Map.Entry<String, Pieces>> all = List.copyOf(files.entrySet());
    for (int i = 0; i < Load.READERS; i++) {
      SplittableRandom random = new SplittableRandom(-i - 1);
      programs.add(load -> read(load, stock, all, random));
    }
    return programs;
  }

  private static void update(
      Load load, FileSystem updating, String path, Pieces pieces, SplittableRandom random)
      throws IOException {
    try (StripedFileUpdater file =
        FileUpdates.open(updating, new Path(null, null, path), UpdaterOptions.standard())) {
      while (!load.ends()) {
        // Mostly one piece, now and then many, across cells and stripes.
        int most = Math.min(MAX_PIECES, pieces.count());
        int count = random.nextInt(SMALL_IN) == 0 ? 1 + random.nextInt(most) : 1;
        int first = random.nextInt(pieces.count() - count + 1);
        byte[] content = pieces.begin(first, count);
        long begin = System.nanoTime();
        file.write((long) first * Pieces.BYTES, ByteBuffer.wrap(content));
        pieces.acknowledge(first, count);
        load.written(content.length, System.nanoTime() - begin);
      }
    }
  }

  private static void read(
      Load load, FileSystem stock, List<Map.Entry<String, Pieces>> files, SplittableRandom random)
      throws IOException {
    byte[] got = new byte[Pieces.BYTES];
    while (!load.ends()) {
      Map.Entry<String, Pieces> file = files.get(random.nextInt(files.size()));
      int piece = random.nextInt(file.getValue().count());
      long position = (long) piece * Pieces.BYTES;
      boolean mayFail = load.failuresExpected();
      int oldest = file.getValue().oldest(piece);
      try (FSDataInputStream in = stock.open(new Path(null, null, file.getKey()))) {
        in.readFully(position, got);
      } catch (IOException e) {
        if (mayFail || load.failuresExpected()) {
          load.refused();
          continue;
        }
        throw e;
      }
      if (!file.getValue().isRight(piece, oldest, got)) {
        load.wrong(file.getKey() + ": bytes from " + position + " on");
      }
      load.read(got.length);
    }
  }
}
