/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.FeatureFileSystem;

/** Compares the parity of files of codec {@code izs} with their data. Thread-safe. */
public final class FileParityCheck {
  private final FeatureFileSystem fs;
  private final IzsGroupReaders readers = new IzsGroupReaders();

  /** By a file system of the suite, which is the caller's to close. */
  public FileParityCheck(FeatureFileSystem fs) {
    this.fs = fs;
  }

  /**
   * Reads all units of a file. A group that does not fit is read once more: it may have been
   * changed in place meanwhile.
   *
   * @param file of codec {@code izs}
   * @param results called with the result of each group
   * @throws IOException if the file is of another codec, or cannot be opened
   */
  public void run(Path file, Consumer<GroupCheck.Result> results) throws IOException {
    fs.visitGroups(
        file,
        (units, group, policy) -> {
          GroupCheck check =
              readers
                  .find(policy)
                  .orElseThrow(
                      () ->
                          new IOException(
                              ErrorMessage.to("compare parity with data")
                                  .value("policy", policy.getName())
                                  .expected("one of codec izs")
                                  .where("file", file)
                                  .message()))
                  .check();
          GroupCheck.Result result = check.run(units, group);
          if (result.verdict() == GroupCheck.Verdict.WRONG) {
            result = check.run(units, group);
          }
          results.accept(result);
        });
  }
}
