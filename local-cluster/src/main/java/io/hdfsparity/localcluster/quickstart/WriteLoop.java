/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Writes files again and again. What a client does when a pipeline fails is the stock client's
 * affair; a file whose write was refused altogether is written again under its name, as a user
 * would.
 */
final class WriteLoop implements Runnable {
  /** Where the files go. */
  static final String FOLDER = "/written";

  private static final int SMALLEST_BYTES = 64 << 10;
  private static final int LARGEST_BYTES = 6 << 20;
  private static final long PAUSE_MS = 300;
  private static final long RETRY_MS = 500;
  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(90);
  private final FileSystem fileSystem;
  private final Ledger ledger;
  private final Load load;
  private final int writer;
  private final long budgetBytes;
  private final Deque<Ledger.Entry> kept = new ArrayDeque<>();
  private long keptBytes;
  private int files;

  WriteLoop(FileSystem fileSystem, Ledger ledger, Load load, int writer, long budgetBytes) {
    this.fileSystem = fileSystem;
    this.ledger = ledger;
    this.load = load;
    this.writer = writer;
    this.budgetBytes = budgetBytes;
  }

  @Override
  public void run() {
    try {
      do {
        writeNext();
        deleteOldest();
      } while (!load.pause(PAUSE_MS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      if (!Thread.currentThread().isInterrupted()) {
        load.unexpected("A writer ended: " + Texts.firstLine(e));
      }
    }
  }

  private void writeNext() throws IOException, InterruptedException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Content content =
        new SeededContent(random.nextLong(), random.nextInt(SMALLEST_BYTES, LARGEST_BYTES));
    Path path = new Path(FOLDER + "/writer-" + writer + "/file-" + files++);
    long begin = System.nanoTime();
    while (true) {
      try {
        String sha256;
        try (FSDataOutputStream out = fileSystem.create(path, true)) {
          sha256 = Digests.copy(content, (buffer, length) -> out.write(buffer, 0, length));
        }
        Ledger.Entry entry = new Ledger.Entry(path.toUri().getPath(), content, sha256);
        ledger.add(entry);
        kept.add(entry);
        keptBytes += content.lengthBytes();
        load.written(content.lengthBytes());
        return;
      } catch (IOException e) {
        if (!load.disksDown()) {
          throw new IOException(
              "the write of " + path + " failed before any disk did: " + Texts.firstLine(e), e);
        }
        if (System.nanoTime() - begin > GIVE_UP_NANOS) {
          throw new IOException(
              "the write of "
                  + path
                  + " did not succeed for "
                  + TimeUnit.NANOSECONDS.toSeconds(GIVE_UP_NANOS)
                  + " s: "
                  + Texts.firstLine(e),
              e);
        }
        load.retried();
        if (load.pause(RETRY_MS)) {
          return; // It was never acknowledged, so nobody expects it.
        }
      }
    }
  }

  private void deleteOldest() throws IOException {
    while (keptBytes > budgetBytes && kept.size() > 1) {
      Ledger.Entry oldest = kept.remove();
      ledger.remove(oldest.path());
      fileSystem.delete(new Path(oldest.path()), false);
      keptBytes -= oldest.content().lengthBytes();
    }
  }
}
