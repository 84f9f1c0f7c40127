/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.protocol.WriteToken;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files are updated where data transfer is encrypted. With Kerberos and privacy that is in {@link
 * EcUpdateKerberosTest}, by a client that asks for integrity in {@link EcUpdateFilesTest}.
 */
@Tag("full")
@Timeout(600)
class EcUpdateProtectedTest {
  private static final int FILE_BYTES = 4 * MiniUpdates.CELL_BYTES;

  private static void write(StripedFileUpdater updater, byte[] twin, int position)
      throws IOException {
    byte[] bytes = new byte[70_000];
    new Random(position).nextBytes(bytes);
    updater.write(position, ByteBuffer.wrap(bytes));
    System.arraycopy(bytes, 0, twin, position, bytes.length);
  }

  private static void assertStockSees(MiniUpdates cluster, byte[] twin) throws Exception {
    try (FSDataInputStream in = cluster.fs().open(new Path("/f"))) {
      assertThat(in.readAllBytes()).isEqualTo(twin);
    }
    cluster.verify(cluster.group("/f"));
    assertThat(cluster.corruptReplicas()).isZero();
  }

  @Test
  void filesAreUpdatedWhereDataTransferIsEncrypted(@TempDir java.nio.file.Path root)
      throws Exception {
    Map<String, String> keys = UpdateKeys.sessions("2s");
    keys.put("dfs.encrypt.data.transfer", "true");
    try (MiniUpdates cluster = new MiniUpdates(root, 5, keys)) {
      byte[] twin = cluster.create("/f", FILE_BYTES);
      try (StripedFileUpdater updater = cluster.open("/f")) {
        write(updater, twin, 60_000);
        assertThat(
                cluster
                    .cluster()
                    .getNamesystem()
                    .getBlockManager()
                    .getBlockTokenSecretManager()
                    .updateKeys(Long.MAX_VALUE))
            .as("keys are rolled")
            .isTrue();
        write(updater, twin, 100_000);
        ByteBuffer read = ByteBuffer.allocate(FILE_BYTES);
        assertThat(updater.read(0, read)).isEqualTo(FILE_BYTES);
        assertThat(read.array()).isEqualTo(twin);
      }
      assertStockSees(cluster, twin);
      assertClearIsRefused(cluster);
      updateByServerDefaults(cluster, twin);
    }
  }

  private static void assertClearIsRefused(MiniUpdates cluster) throws Exception {
    UpdateSession session =
        ((SessionAnswer.Granted)
                SessionManagers.of(cluster.fs().getConf(), cluster.fs().getUri())
                    .callActive(manager -> manager.open(new OpenRequest("/f", "test", 0))))
            .session();
    UpdateUnit unit = session.groups().get(0).units().get(0);
    WriteToken token = unit.token().orElseThrow();
    int crc = CodeTable.plain(GfMatrix.cauchyParity(MiniUpdates.DATA, 2)).crc();
    Bytes good = EcUpdateFilesTest.token(token.identifier(), token.password(), crc);
    assertThat(EcUpdateFilesTest.answer(unit, session, good, unit.blockId()))
        .contains("FORBIDDEN")
        .contains("expected a protected one");
  }

  /** A client that is not configured does what the NameNode says, as HDFS's own does. */
  private static void updateByServerDefaults(MiniUpdates cluster, byte[] twin) throws Exception {
    Configuration conf = new Configuration(cluster.fs().getConf());
    conf.unset("dfs.encrypt.data.transfer");
    try (FileSystem fs = FileSystem.newInstance(cluster.fs().getUri(), conf);
        StripedFileUpdater updater =
            FileUpdates.open(fs, new Path("/f"), UpdaterOptions.standard())) {
      write(updater, twin, 5);
    }
    assertStockSees(cluster, twin);
  }
}
