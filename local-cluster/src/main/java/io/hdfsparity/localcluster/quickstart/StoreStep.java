/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Stores the files through Hadoop's own client. */
record StoreStep(FileSystem fileSystem, String folder, Ledger ledger, Screen screen) {
  /**
   * Stores all.
   *
   * @return how long it took, in milliseconds
   * @throws QuickstartException when a source cannot be read, or HDFS refuses
   */
  long run(List<SourceFile> files) throws Exception {
    return Workers.forEachFile(
            files, SourceFile::lengthBytes, screen, rate -> ", " + rate + "/s", this::store)
        .ms();
  }

  private boolean store(SourceFile file, AtomicLong sent) throws QuickstartException {
    file.requireUnchanged();
    Path path = new Path(null, null, folder + "/" + file.name());
    String sha256;
    try (FSDataOutputStream out = fileSystem.create(path, false)) {
      Digests.Sink sink =
          piece -> {
            out.write(piece);
            sent.addAndGet(piece.length);
          };
      sha256 = Digests.copy(file, sink);
    } catch (Digests.SourceException e) {
      file.requireUnchanged();
      throw QuickstartException.input(
          e, "Cannot read a source file: %s, file=%s", e.getMessage(), file.file());
    } catch (IOException e) {
      throw QuickstartException.cluster(e, "HDFS did not take %s: %s", path, firstLine(e));
    }
    file.requireUnchanged();
    ledger.add(new Ledger.Entry(path.toUri().getPath(), file, sha256));
    return true;
  }
}
