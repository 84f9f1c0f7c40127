/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripeFinding;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Files that are open for updates, one for each client, as programs of their own would have them:
 * with sessions, connections and threads of its own each. Closing closes all of them. Used by one
 * thread.
 */
public final class UpdatedFiles implements Closeable {
  private final List<StripedFileUpdater> files = new ArrayList<>();

  private UpdatedFiles() {}

  /**
   * Opens files.
   *
   * @param outstanding operations of a file at a time
   * @throws IOException when one cannot be opened; then none is open
   */
  public static UpdatedFiles open(FileSystem fs, List<Path> paths, int outstanding)
      throws IOException {
    UpdatedFiles opened = new UpdatedFiles();
    try {
      for (Path path : paths) {
        opened.files.add(
            FileUpdates.open(fs, path, UpdaterOptions.standard().withOutstanding(outstanding)));
      }
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
    return opened;
  }

  /** In the order of their paths; unmodifiable. */
  public List<StripedFileUpdater> all() {
    return List.copyOf(files);
  }

  /**
   * Recomputes the parity of all stripes.
   *
   * @param waitMs as in {@link StripedFileUpdater#verify}
   * @throws IOException when some is not what is stored
   */
  public void requireParity(long waitMs) throws IOException {
    for (StripedFileUpdater file : files) {
      List<StripeFinding> findings = new ArrayList<>();
      file.verify(waitMs, findings::add, stripes -> {});
      if (!findings.isEmpty()) {
        throw new IOException("Cannot trust the files: " + findings.get(0));
      }
    }
  }

  /** Closes all, then throws what the first threw that could not be closed. */
  @Override
  public void close() throws IOException {
    IOException first = null;
    for (StripedFileUpdater file : files) {
      try {
        file.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
