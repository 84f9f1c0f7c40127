/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.client.FileOrders;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.geometry.ByteOrder;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InodePaths;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Tells hdfs-ec-update where the bytes of files in stored order are, so that they are updated in
 * place by their own positions, and what is written together updates the parity of a stripe once.
 * Found by ServiceLoader. Thread-safe.
 */
public final class CasoFileOrders implements FileOrders {
  @Override
  public Optional<ByteOrder> of(DistributedFileSystem fs, String path, long inodeId)
      throws IOException {
    String byInode = InodePaths.path(inodeId);
    HdfsFileStatus status = fs.getClient().getFileInfo(byInode);
    if (status == null) {
      throw new IOException(
          ErrorMessage.to("read the order of a file")
              .value("inode", inodeId)
              .expected("a file that is there")
              .where("file", path)
              .message());
    }
    return new LayoutStore(fs.getClient()).order(status, path).map(order -> order);
  }
}
