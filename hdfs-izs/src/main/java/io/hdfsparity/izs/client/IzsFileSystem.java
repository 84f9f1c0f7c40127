/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.bridge.client.GroupReaderChoice;
import io.hdfsparity.core.gf.Kernels;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DecodingFileSystem;

/**
 * HDFS for clients of files of codec {@code izs}; {@code fs.hdfs.impl} names it. Their streams give
 * the right bytes at any offset with up to r units of each block group lost, and an IOException
 * with more. Everything else, files of other codecs and replicated files among it, is Hadoop's
 * DistributedFileSystem.
 *
 * <p>Its jars belong into the class path of Hadoop's own (HADOOP_CLASSPATH): parts of it are in
 * Hadoop's packages, and another class loader would not let them in. Thread-safe.
 */
public final class IzsFileSystem extends DecodingFileSystem {
  private final IzsGroupReaders readers = new IzsGroupReaders(Kernels.best());

  @Override
  protected GroupReaderChoice groupReaderChoice(Configuration conf) {
    return readers;
  }

  /**
   * Reads all units of a file of codec {@code izs}, and compares parity with data. A group that
   * does not fit is read once more: it may have been changed in place meanwhile.
   *
   * @param results told of each group; of none if the file is of another codec
   */
  public void checkGroups(Path file, Consumer<GroupCheck.Result> results) throws IOException {
    visitGroups(
        file,
        (units, group, policy) -> {
          GroupCheck check = readers.find(policy).orElseThrow().check();
          GroupCheck.Result result = check.run(units, group);
          if (result.verdict() == GroupCheck.Verdict.WRONG) {
            result = check.run(units, group);
          }
          results.accept(result);
        });
  }
}
