/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Reads ranges of files again and again and compares every byte. */
final class ReadLoop implements Runnable {
  private static final int MAX_BYTES = 4 << 20;
  private static final long PAUSE_MS = 30;
  private final FileSystem fileSystem;
  private final Ledger ledger;
  private final Load load;
  private final byte[] got = new byte[MAX_BYTES];
  private final byte[] expected = new byte[MAX_BYTES];

  ReadLoop(FileSystem fileSystem, Ledger ledger, Load load) {
    this.fileSystem = fileSystem;
    this.ledger = ledger;
    this.load = load;
  }

  @Override
  public void run() {
    try {
      do {
        Optional<Ledger.Entry> entry = ledger.any();
        if (entry.isPresent()) {
          read(entry.get());
        }
      } while (!load.pause(PAUSE_MS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      load.unexpected("A reader ended: " + e);
    }
  }

  private void read(Ledger.Entry entry) {
    long length = entry.content().lengthBytes();
    int count = (int) Math.min(MAX_BYTES, length);
    long position = ThreadLocalRandom.current().nextLong(length - count + 1);
    try (FSDataInputStream in = fileSystem.open(new Path(null, null, entry.path()))) {
      in.readFully(position, got, 0, count);
    } catch (EOFException e) {
      wrong(entry, "it ended early in the range from " + position + " to " + (position + count));
      return;
    } catch (IOException e) {
      refused(entry, e);
      return;
    }
    try {
      entry.content().read(position, expected, count);
    } catch (IOException e) {
      load.unexpected(Texts.firstLine(e));
      return;
    }
    int first = Arrays.mismatch(got, 0, count, expected, 0, count);
    if (first < 0) {
      load.read(count);
    } else {
      wrong(
          entry,
          String.format(
              "byte %d is 0x%02x, expected 0x%02x", position + first, got[first], expected[first]));
    }
  }

  /** A file that a writer has deleted meanwhile is no finding. */
  private void wrong(Ledger.Entry entry, String what) {
    if (ledger.contains(entry)) {
      load.wrong(entry.path() + ": " + what);
    }
  }

  private void refused(Ledger.Entry entry, IOException e) {
    if (!ledger.contains(entry) || load.ends() && Thread.currentThread().isInterrupted()) {
      return;
    }
    if (load.disksDown()) {
      load.refused();
    } else {
      load.unexpected(
          "A read of "
              + entry.path()
              + " failed while enough of its replicas were there: "
              + Texts.firstLine(e));
    }
  }
}
