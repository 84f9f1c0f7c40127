/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.awaitility.Awaitility;

/** Clusters of processes that are killed while one file of them is updated. Stateless. */
final class KillableUpdates {
  private KillableUpdates() {}

  /**
   * With small logs, and sessions that are over soon.
   *
   * @param recheckMs twice this and ten seconds after which a DataNode counts as dead
   */
  static LocalClusterBuilder cluster(Path dir, int nodes, int blockBytes, long recheckMs)
      throws IOException {
    return LocalCluster.builder(dir)
        .mode(ClusterMode.EC_UPDATE)
        .nodes(nodes)
        .racks(1)
        .disksPerNode(1)
        .blockBytes(blockBytes)
        .cacheDir(Path.of(System.getProperty("hdfsparity.cache")))
        // Of programs that are killed, it is waited for; but a busy machine stands still for three.
        .conf(SessionKey.LEASE.key(), "8s")
        .conf(SessionKey.NODE_VALIDITY.key(), "2s")
        .conf(SessionKey.NODE_REPORT.key(), "200ms")
        .conf(SessionKey.SWEEP_INTERVAL.key(), "200ms")
        .conf(StorageKey.QUIET.key(), "300ms")
        .conf(StorageKey.LOG_BYTES.key(), "4M")
        .conf(StorageKey.RECORD_BYTES.key(), "192K")
        .conf(StorageKey.OVERLAY_BYTES.key(), "512K")
        .conf(StorageKey.DRAIN_DELAY.key(), "20ms")
        .conf(StorageKey.RESERVED_BYTES.key(), "128K")
        .conf(StorageKey.RESERVED_CHUNK_BYTES.key(), "4K")
        .conf("ipc.client.connect.retry.interval", "200")
        .conf("dfs.namenode.heartbeat.recheck-interval", "" + recheckMs);
  }

  /** Makes a file, and returns when it can be updated. */
  static void create(
      LocalCluster cluster, String path, byte[] initial, ECSchema schema, int cellBytes)
      throws IOException {
    try (DistributedFileSystem fs = (DistributedFileSystem) cluster.newFileSystem()) {
      ErasureCodingPolicy policy = new ErasureCodingPolicy(schema, cellBytes);
      fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy});
      fs.enableErasureCodingPolicy(policy.getName());
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
      fs.mkdirs(file.getParent());
      fs.setErasureCodingPolicy(file.getParent(), policy.getName());
      try (OutputStream out = fs.create(file)) {
        out.write(initial);
      }
      awaitAnswers(fs, path);
    }
  }

  /** Connections of this JVM to a NameNode that was killed are broken, and its sessions over. */
  static void awaitAnswers(FileSystem fs, String path) {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    Awaitility.await("the file can be updated")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              FileUpdates.open(fs, file, UpdaterOptions.standard()).close();
              return fs.exists(file);
            });
  }

  /** What {@code hdfs ecupdate} says when it fails; empty when it does not. */
  static String complaintOf(Configuration conf, String... command) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
      int code = new EcUpdateAdmin(conf, InputStream.nullInputStream(), out, out).run(command);
      return code == 0 ? "" : said.toString(StandardCharsets.UTF_8);
    }
  }

  /** What {@code -verify} complains of. */
  static String verify(Configuration conf, String path) throws IOException {
    return complaintOf(conf, "-verify", path);
  }
}
