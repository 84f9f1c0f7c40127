/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.Sizes;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Stores the files through Hadoop's own client. */
final class StoreStep {
  static final int THREADS = 4;
  private final FileSystem fileSystem;
  private final String folder;
  private final Ledger ledger;
  private final Screen screen;

  /**
   * @param folder where the files go
   */
  StoreStep(FileSystem fileSystem, String folder, Ledger ledger, Screen screen) {
    this.fileSystem = fileSystem;
    this.folder = folder;
    this.ledger = ledger;
    this.screen = screen;
  }

  /**
   * Stores all.
   *
   * @return how long it took, in milliseconds
   * @throws QuickstartException when a source cannot be read, or HDFS refuses
   */
  long run(List<SourceFile> files) throws Exception {
    long total = FileChoice.totalBytes(files);
    long begin = System.nanoTime();
    AtomicLong sent = new AtomicLong();
    AtomicInteger closed = new AtomicInteger();
    // The largest first: otherwise one thread would still be busy with it when all others are done.
    List<SourceFile> order =
        files.stream()
            .sorted(Comparator.comparingLong(SourceFile::lengthBytes).reversed())
            .toList();
    Workers.forEach(
        order,
        THREADS,
        "store",
        () -> report(begin, sent.get(), total, closed.get(), files.size()),
        file -> {
          store(file, sent);
          closed.incrementAndGet();
        });
    return (System.nanoTime() - begin) / 1_000_000;
  }

  private void report(long begin, long sent, long total, int closed, int files) {
    double seconds = Math.max((System.nanoTime() - begin) / 1e9, 0.001);
    screen.progress(
        (double) sent / Math.max(total, 1),
        "%s of %s, %s of %s files, %s/s",
        Sizes.text(sent),
        Sizes.text(total),
        closed,
        files,
        Sizes.text((long) (sent / seconds)));
  }

  private void store(SourceFile file, AtomicLong sent) throws QuickstartException {
    file.requireUnchanged();
    Path path = new Path(null, null, folder + "/" + file.name());
    String sha256;
    try (FSDataOutputStream out = fileSystem.create(path, false)) {
      sha256 =
          Digests.copy(
              new NamedSource(file),
              (buffer, length) -> {
                out.write(buffer, 0, length);
                sent.addAndGet(length);
              });
    } catch (SourceReadException e) {
      file.requireUnchanged();
      throw QuickstartException.input(
          e, "Cannot read a source file: %s, file=%s", e.getMessage(), file.file());
    } catch (IOException e) {
      throw QuickstartException.cluster(e, "HDFS did not take %s: %s", path, Texts.firstLine(e));
    }
    file.requireUnchanged();
    ledger.add(new Ledger.Entry(path.toUri().getPath(), file, sha256));
  }

  /** Tells a failure of the source from one of HDFS. */
  private record NamedSource(SourceFile file) implements Content {
    @Override
    public long lengthBytes() {
      return file.lengthBytes();
    }

    @Override
    public void read(long position, byte[] into, int length) throws SourceReadException {
      try {
        file.read(position, into, length);
      } catch (IOException e) {
        throw new SourceReadException(e);
      }
    }
  }

  private static final class SourceReadException extends IOException {
    private static final long serialVersionUID = 1L;

    SourceReadException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }
}
