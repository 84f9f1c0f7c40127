/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import io.hdfsparity.core.geometry.ByteOrder;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Knows files that are kept in another order than their own. Found by {@link
 * java.util.ServiceLoader}, so that whoever changes bytes in place needs not know who keeps files
 * so. Needs a constructor without parameters; thread-safe.
 */
public interface FileOrders {
  /** Extended attribute of a file that is kept in another order. */
  String XATTR = "user.parity.caso.layout";

  /**
   * The order of a file.
   *
   * @param path of the file when it was opened, absolute
   * @param inodeId of the file
   * @return empty if it is kept in its own order, as far as this one knows
   * @throws IOException if the file is kept in another order that cannot be determined
   */
  Optional<ByteOrder> of(DistributedFileSystem fs, String path, long inodeId) throws IOException;
}
