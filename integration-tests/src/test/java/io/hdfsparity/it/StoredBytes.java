/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.guard.CallerAbilities;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Files in stored order as clients see them that know no orders. Stateless. */
final class StoredBytes {
  private StoredBytes() {}

  /** The bytes as they are stored: refused to a stock client, unless it states to know orders. */
  static byte[] read(FileSystem stock, String path) throws IOException {
    assertThatThrownBy(() -> WholeFile.read(stock, path))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot read a file: order=stored")
        .hasMessageContaining("hdfs caso -restore");
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.ORDERS)) {
      return WholeFile.read(stock, path);
    }
  }

  /** The blocks of a file in any order. */
  static List<LocatedBlock> blocks(DistributedFileSystem stock, String path) throws IOException {
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.ORDERS)) {
      return stock.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
    }
  }

  /** Appends as clients could before NameNodes were guarded; now it is refused. */
  static void append(MiniDFSCluster cluster, DistributedFileSystem stock, String path, byte[] bytes)
      throws IOException {
    EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK);
    assertThatThrownBy(() -> stock.append(new Path(path), flags, 4096, null).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot append a file: order=stored")
        .hasMessageContaining("hdfs caso -restore");
    try (DFSClient unguarded =
            new DFSClient(
                /* nameNodeUri= */ null,
                inProcess(cluster),
                cluster.getConfiguration(0),
                /* stats= */ null);
        OutputStream more =
            unguarded.append(
                path, 4096, flags, /* progress= */ null, new FileSystem.Statistics("hdfs"))) {
      more.write(bytes);
    }
  }

  /**
   * The active NameNode as it is called without RPC; closing it, as a client does, closes nothing.
   */
  private static ClientProtocol inProcess(MiniDFSCluster cluster) {
    int active = cluster.getNameNode(0).isActiveState() ? 0 : 1;
    ClientProtocol own = cluster.getNameNodeRpc(active);
    return (ClientProtocol)
        Proxy.newProxyInstance(
            StoredBytes.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class, Closeable.class},
            (proxy, method, arguments) -> {
              if (method.getDeclaringClass() == Closeable.class) {
                return null;
              }
              try {
                return method.invoke(own, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
