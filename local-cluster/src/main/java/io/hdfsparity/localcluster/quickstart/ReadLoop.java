/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;
import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Reads ranges of files again and again and compares every byte. May run on several threads. */
record ReadLoop(FileSystem fileSystem, Ledger ledger, Ranges ranges) implements Load.Program {
  private static final long RETRY_MS = 50;

  /**
   * What is read.
   *
   * @param minBytes of a range, unless the file is shorter
   * @param maxBytes of a range
   * @param pauseMs between two
   * @param retrySeconds how long a read that fails is repeated
   */
  record Ranges(int minBytes, int maxBytes, long pauseMs, long retrySeconds) {
    static final Ranges LARGE = new Ranges(4 << 20, 4 << 20, 30, 0);

    /** Of a file that another one replaces: who has it open gets an error, and opens it again. */
    static final Ranges REPLACED = new Ranges(1, 256 << 10, 0, 90);
  }

  /** Some of them. */
  static List<Load.Program> several(FileSystem fileSystem, Ledger ledger, Ranges ranges) {
    return Collections.nCopies(Load.READERS, new ReadLoop(fileSystem, ledger, ranges));
  }

  @Override
  public void run(Load load) throws InterruptedException {
    do {
      Optional<Ledger.Entry> entry = ledger.any();
      if (entry.isPresent()) {
        read(load, entry.get());
      }
    } while (!load.pause(ranges.pauseMs()));
  }

  private void read(Load load, Ledger.Entry entry) throws InterruptedException {
    long length = entry.content().lengthBytes();
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int wanted = random.nextInt(ranges.minBytes(), ranges.maxBytes() + 1);
    int count = (int) Math.min(wanted, length);
    long position = random.nextLong(length - count + 1);
    byte[] got;
    try {
      got = fetch(load, entry.path(), position, count);
    } catch (EOFException e) {
      long end = position + count;
      wrong(load, entry, "it ended early in the range from %s to %s", position, end);
      return;
    } catch (IOException e) {
      refused(load, entry, e);
      return;
    }
    try {
      byte[] expected = entry.content().read(position, count);
      int at = Arrays.mismatch(got, expected);
      if (at < 0) {
        load.read(count);
      } else {
        String what = "byte %d is 0x%02x, expected 0x%02x";
        wrong(load, entry, what, position + at, got[at], expected[at]);
      }
    } catch (IOException e) {
      load.unexpected(firstLine(e));
    }
  }

  private byte[] fetch(Load load, String path, long position, int count)
      throws IOException, InterruptedException {
    byte[] got = new byte[count];
    long begin = System.nanoTime();
    while (true) {
      try (FSDataInputStream in = fileSystem.open(new Path(null, null, path))) {
        in.readFully(position, got);
        return got;
      } catch (IOException e) {
        if (System.nanoTime() - begin >= TimeUnit.SECONDS.toNanos(ranges.retrySeconds())) {
          throw e;
        }
        load.repeated();
        TimeUnit.MILLISECONDS.sleep(RETRY_MS);
      }
    }
  }

  /** A file that a writer has deleted meanwhile is no finding. */
  private void wrong(Load load, Ledger.Entry entry, String what, Object... values) {
    if (ledger.contains(entry)) {
      load.wrong(entry.path() + ": " + format(what, values));
    }
  }

  private void refused(Load load, Ledger.Entry entry, IOException e) {
    if (!ledger.contains(entry) || load.ends() && Thread.currentThread().isInterrupted()) {
      return;
    }
    if (load.failuresExpected()) {
      load.refused();
    } else {
      String template = "A read of %s failed while enough of its replicas were there: %s";
      load.unexpected(format(template, entry.path(), firstLine(e)));
    }
  }
}
