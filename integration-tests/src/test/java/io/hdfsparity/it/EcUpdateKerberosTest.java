/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static io.hdfsparity.it.MiniKerberos.as;
import static io.hdfsparity.it.MiniKerberos.fsOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everybody has to prove who he is: sessions and control by Kerberos, both ends of the update
 * channel by the session's block tokens. All of it is encrypted.
 */
@Tag("full")
@Timeout(1200)
class EcUpdateKerberosTest {
  private static final int FILE_BYTES = 4 * MiniUpdates.CELL_BYTES;

  private static StripedFileUpdater open(FileSystem fs) throws IOException {
    return FileUpdates.open(fs, new Path("/alice"), UpdaterOptions.standard());
  }

  /** What a command says, and its exit code at the end. */
  private static String admin(Configuration conf, String... command) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
      int code = new EcUpdateAdmin(conf, InputStream.nullInputStream(), out, out).run(command);
      return said.toString(StandardCharsets.UTF_8) + code;
    }
  }

  @Test
  void onlyWhoProvesWhoHeIsUpdates(@TempDir java.nio.file.Path root) throws Exception {
    try (MiniKerberos kerberos = new MiniKerberos(root.resolve("kdc"), "alice", "mallory")) {
      Map<String, String> more = UpdateKeys.sessions("2s");
      more.putAll(kerberos.keys());
      try (MiniUpdates cluster = new MiniUpdates(root.resolve("cluster"), 5, more)) {
        check(cluster, kerberos.login("alice"), kerberos.login("mallory"));
      }
    }
  }

  private static void check(
      MiniUpdates cluster, UserGroupInformation alice, UserGroupInformation mallory)
      throws Exception {
    byte[] twin = new byte[FILE_BYTES];
    new Random(1).nextBytes(twin);
    cluster.write("/alice", twin);
    cluster.fs().setOwner(new Path("/alice"), "alice", "people");
    cluster.fs().setPermission(new Path("/alice"), new FsPermission("640"));
    Configuration conf = cluster.fs().getConf();
    try (FileSystem hers = fsOf(alice, conf);
        FileSystem his = fsOf(mallory, conf)) {
      await("all DataNodes report")
          .ignoreExceptionsMatching(MiniUpdates::passes)
          .until(
              () ->
                  as(
                      alice,
                      () -> {
                        open(hers).close();
                        return true;
                      }));
      byte[] bytes = new byte[70_000];
      new Random(2).nextBytes(bytes);
      as(
          alice,
          () -> {
            try (StripedFileUpdater updater = open(hers)) {
              updater.write(60_000, ByteBuffer.wrap(bytes));
            }
            return null;
          });
      System.arraycopy(bytes, 0, twin, 60_000, bytes.length);
      as(
          alice,
          () -> {
            try (FSDataInputStream in = hers.open(new Path("/alice"))) {
              assertThat(Arrays.equals(in.readAllBytes(), twin)).isTrue();
            }
            return null;
          });
      // May not read; may read.
      for (String mode : new String[] {"640", "644"}) {
        cluster.fs().setPermission(new Path("/alice"), new FsPermission(mode));
        assertThatThrownBy(() -> as(mallory, () -> open(his)))
            .as(mode)
            .isInstanceOf(AccessControlException.class)
            .hasMessageContaining("user=mallory");
      }
      assertThatThrownBy(() -> as(UserGroupInformation.createRemoteUser("alice"), () -> open(hers)))
          .as("a name without a ticket")
          .isInstanceOf(IOException.class);
      assertThat(as(alice, () -> admin(conf, "-merge", "/alice")))
          .contains("user=alice")
          .endsWith("-1");
    }
    assertThat(admin(conf, "-merge", "/alice")).as("the superuser").endsWith("0");
    assertThat(admin(conf, "-verify", "/alice")).endsWith("0");
    cluster.verify(cluster.group("/alice"));
    assertThat(cluster.corruptReplicas()).isZero();
  }
}
