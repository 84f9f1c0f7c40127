/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.EnumSetWritable;

/** A file of one block that a raw writer writes; the NameNode has chosen its nodes. */
record RawFile(String path, String client, long fileId, LocatedBlock located) {
  static RawFile create(DFSClient client, String path, int blockBytes) throws IOException {
    long fileId =
        client
            .getNamenode()
            .create(
                path,
                FsPermission.getFileDefault(),
                client.getClientName(),
                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                true,
                (short) 2,
                blockBytes,
                CryptoProtocolVersion.supported(),
                null,
                null)
            .getFileId();
    LocatedBlock located =
        client
            .getNamenode()
            .addBlock(
                path,
                client.getClientName(),
                null,
                null,
                fileId,
                null,
                EnumSet.noneOf(AddBlockFlag.class));
    return new RawFile(path, client.getClientName(), fileId, located);
  }

  /** To each node by itself, all at the same time. */
  CompletableFuture<Void> write(byte[] bytes, boolean isNamed) {
    return CompletableFuture.allOf(
        IntStream.range(0, located.getLocations().length)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> write(i, bytes, isNamed ? located.getStorageIDs()[i] : null)))
            .toArray(CompletableFuture[]::new));
  }

  private void write(int node, byte[] bytes, String storageId) {
    try (RawWrite write =
        RawWrite.begin(
            located.getLocations()[node], located, located.getBlock(), client, storageId)) {
      write.finish(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void complete(DFSClient dfs, int lengthBytes) {
    ExtendedBlock last = new ExtendedBlock(located.getBlock());
    last.setNumBytes(lengthBytes);
    MiniRaidp.await("complete").until(() -> dfs.getNamenode().complete(path, client, last, fileId));
  }
}
