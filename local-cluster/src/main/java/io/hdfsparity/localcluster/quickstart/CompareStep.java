/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.QuickstartException.attempt;
import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;
import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.io.IOException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Reads every file back and compares its SHA-256 with that of its source, which is read anew. */
record CompareStep(FileSystem fileSystem, Screen screen) {
  /**
   * What was compared.
   *
   * @param files number of files that are equal
   * @param bytes their bytes
   * @param ms how long it took
   * @param wrong files that are not equal, with both digests
   */
  record Result(int files, long bytes, long ms, List<String> wrong) {
    /**
     * Adds a line to the last page.
     *
     * @param more what it says besides
     */
    void addTo(Report report, String more) {
      report.row("SHA-256 equal", "{file} of %s%s", files, files + wrong.size(), more);
    }
  }

  /** Digest of what is stored, and its length in bytes. */
  private record Stored(String sha256, long length) {}

  /**
   * Compares all.
   *
   * @throws QuickstartException when a file cannot be read, or its source has changed
   */
  Result run(List<Ledger.Entry> entries) throws Exception {
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    Workers.Done done =
        Workers.forEachFile(
            entries,
            entry -> entry.content().lengthBytes(),
            screen,
            rate -> " equal",
            (entry, bytes) -> compare(entry, bytes, wrong));
    return new Result(done.files(), done.bytes(), done.ms(), List.copyOf(wrong));
  }

  private boolean compare(Ledger.Entry entry, AtomicLong bytes, Queue<String> wrong)
      throws QuickstartException {
    String path = entry.path();
    Stored stored = attempt("A FILE CANNOT BE READ BACK: " + path, () -> digest(path, bytes));
    String source = sourceDigest(entry);
    if (stored.sha256().equals(source)) {
      return true;
    }
    String template = "%s: SHA-256 %s of %s bytes, expected %s of %s";
    long expected = entry.content().lengthBytes();
    wrong.add(format(template, path, stored.sha256(), stored.length(), source, expected));
    return false;
  }

  private Stored digest(String path, AtomicLong bytes) throws IOException {
    try (FSDataInputStream in = fileSystem.open(new Path(null, null, path))) {
      MessageDigest digest = Digests.sha256();
      byte[] buffer = new byte[Digests.BUFFER_BYTES];
      long length = 0;
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
        length += n;
        bytes.addAndGet(n);
      }
      return new Stored(Digests.hex(digest), length);
    }
  }

  /** The digest of the source as it is now, which must be the one of the bytes that were sent. */
  private static String sourceDigest(Ledger.Entry entry) throws QuickstartException {
    if (entry.content() instanceof SourceFile file) {
      file.requireUnchanged();
    }
    try {
      String now = Digests.of(entry.content());
      if (!now.equals(entry.sha256()) && entry.content() instanceof SourceFile file) {
        throw file.changed(
            "SHA-256 " + now + ", expected " + entry.sha256() + " as when it was stored");
      }
      return now;
    } catch (IOException e) {
      throw QuickstartException.input(e, "Cannot read a source file again: %s", firstLine(e));
    }
  }
}
