/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

/** Says which striped files are read by a {@link GroupReader}. Thread-safe. */
@FunctionalInterface
public interface GroupReaderChoice {
  /**
   * The reader for files of a policy; empty where Hadoop's own streams are right.
   *
   * @throws IOException if the files are claimed, and cannot be read
   */
  Optional<GroupReader> readerFor(ErasureCodingPolicy policy) throws IOException;
}
