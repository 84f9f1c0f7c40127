/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.bridge.client.FileOrders;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The order that a file is stored in, asked of the {@link FileOrders} that are here. Stateless. */
final class StoredOrders {
  private StoredOrders() {}

  /**
   * The order of a session's file.
   *
   * @throws IOException if the file says that it is stored in another order than its own, and none
   *     of them knows that order: bytes would be written to the wrong places
   */
  static ByteOrder of(DistributedFileSystem fs, UpdateSession session) throws IOException {
    Path byInode = DFSUtilClient.makePathFromFileId(session.file().inodeId());
    if (!fs.getXAttrs(byInode).containsKey(FileOrders.XATTR)) {
      return ByteOrder.OWN;
    }
    try {
      Iterator<FileOrders> known = ServiceLoader.load(FileOrders.class).iterator();
      while (known.hasNext()) {
        Optional<ByteOrder> order =
            known.next().of(fs, session.file().path(), session.file().inodeId());
        if (order.isPresent()) {
          return order.get();
        }
      }
    } catch (ServiceConfigurationError e) {
      throw new IOException(refusal(session, e), e);
    }
    throw new IOException(refusal(session, "none"));
  }

  private static String refusal(UpdateSession session, Object found) {
    return ErrorMessage.to("update a file in place")
        .value("order", "stored, " + FileOrders.XATTR)
        .value("found", found)
        .expected("the jar of hdfs-caso in the class path, which knows that order")
        .where("file", session.file().path())
        .message();
  }
}
