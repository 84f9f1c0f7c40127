/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.bridge.client.GroupReplacedException;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;

/**
 * How often one read of a block group is begun: once more with each group that takes the place of
 * the one that is being read, a bounded number of times, and once more after any other failure.
 * Stateless.
 */
final class GroupTries {
  /** Each costs the file a group that was rewritten while a few of its stripes were read. */
  static final int MAX_GROUPS = 5;

  private GroupTries() {}

  /** A read, from the start and with the group that the file has by now. */
  @FunctionalInterface
  interface Read {
    void run() throws IOException;
  }

  /** What is done before a failed read is tried again; throws if it is not to be. */
  @FunctionalInterface
  interface RetryPreparation {
    void prepare(IOException failure) throws IOException;
  }

  /**
   * Reads until it is done.
   *
   * @throws IOException of the second failure, or if the group was replaced each time
   */
  static void run(String file, Read read, RetryPreparation again) throws IOException {
    boolean hasFailed = false;
    int groups = 0;
    while (true) {
      try {
        read.run();
        return;
      } catch (GroupReplacedException e) {
        groups++;
        if (groups == MAX_GROUPS) {
          throw replacedEachTime(file, e);
        }
        DFSClient.LOG.info("Reading {} from the start of the read", file, e);
      } catch (IOException e) {
        if (hasFailed) {
          throw e;
        }
        hasFailed = true;
        again.prepare(e);
      }
    }
  }

  private static IOException replacedEachTime(String file, GroupReplacedException last) {
    return new IOException(
        ErrorMessage.to("read a block group")
            .value("groups tried", MAX_GROUPS)
            .expected("one that stays in the file while it is read; read again")
            .where("file", file)
            .message(),
        last);
  }
}
