/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/**
 * Reads one client's files whose cells are stored in another order than their own. What would
 * change such a file without its order is refused by the client that asks. Thread-safe.
 */
public interface OrderedFileReader {
  /**
   * The stream of a file in its own order; {@code stored} itself if it is stored in that.
   *
   * @param stored of the stored bytes, at its beginning; not to be used any more
   * @param path by which it was opened, absolute, without scheme
   * @return empty, and {@code stored} closed, if the path leads to another file by now
   * @throws IOException if the order cannot be determined; {@code stored} is closed then
   */
  Optional<HdfsDataInputStream> inOrder(HdfsDataInputStream stored, String path) throws IOException;

  /**
   * Opens a file in its own order.
   *
   * @throws java.io.FileNotFoundException if there is none
   * @throws IOException if the order cannot be determined, or the path leads to one file after
   *     another
   */
  HdfsDataInputStream open(String path) throws IOException;

  /**
   * Whether a file is stored in another order: then HDFS's checksum is not that of its bytes, and
   * it cannot grow or be cut. False if there is no file.
   *
   * @throws IOException if that cannot be determined
   */
  boolean isOrdered(String path) throws IOException;
}
