/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;
import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Writes files again and again. What a client does when a pipeline fails is the stock client's
 * affair; a file whose write was refused altogether is written again under its name, as a user
 * would.
 */
final class WriteLoop implements Load.Program {
  /** Where the files go. */
  static final String FOLDER = "/written";

  private static final int WRITERS = 2;
  private static final int MIN_BYTES = 64 << 10;
  private static final int MAX_BYTES = 6 << 20;
  private static final long PAUSE_MS = 300;
  private static final long RETRY_MS = 500;
  private static final long RETRY_SECONDS = 90;
  private final FileSystem fileSystem;
  private final Ledger ledger;
  private final int writer;
  private final long budgetBytes;
  private final Deque<Ledger.Entry> kept = new ArrayDeque<>();
  private long keptBytes;
  private int files;

  WriteLoop(FileSystem fileSystem, Ledger ledger, int writer, long budgetBytes) {
    this.fileSystem = fileSystem;
    this.ledger = ledger;
    this.writer = writer;
    this.budgetBytes = budgetBytes;
  }

  /**
   * Some of them.
   *
   * @param budgetBytes most bytes of written files at one time; then the oldest are deleted
   */
  static List<Load.Program> several(FileSystem fileSystem, Ledger ledger, long budgetBytes) {
    return IntStream.range(0, WRITERS)
        .<Load.Program>mapToObj(i -> new WriteLoop(fileSystem, ledger, i, budgetBytes / WRITERS))
        .toList();
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    do {
      writeNext(load);
      deleteOldest();
    } while (!load.pause(PAUSE_MS));
  }

  private void writeNext(Load load) throws IOException, InterruptedException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Content content = new SeededContent(random.nextLong(), random.nextInt(MIN_BYTES, MAX_BYTES));
    Path path = new Path(FOLDER + "/writer-" + writer + "/file-" + files++);
    long begin = System.nanoTime();
    while (true) {
      try {
        write(path, content);
        load.written(content.lengthBytes(), System.nanoTime() - begin);
        return;
      } catch (IOException e) {
        if (!load.failuresExpected()) {
          String before = "the write of " + path + " failed before any disk did: ";
          throw new IOException(before + firstLine(e), e);
        }
        if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(RETRY_SECONDS)) {
          String template = "the write of %s did not succeed for %s s: %s";
          throw new IOException(format(template, path, RETRY_SECONDS, firstLine(e)), e);
        }
        load.repeated();
        if (load.pause(RETRY_MS)) {
          return; // It was never acknowledged, so nobody expects it.
        }
      }
    }
  }

  private void write(Path path, Content content) throws IOException {
    String sha256;
    try (FSDataOutputStream out = fileSystem.create(path, true)) {
      sha256 = Digests.copy(content, out::write);
    }
    Ledger.Entry entry = new Ledger.Entry(path.toUri().getPath(), content, sha256);
    ledger.add(entry);
    kept.add(entry);
    keptBytes += content.lengthBytes();
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
