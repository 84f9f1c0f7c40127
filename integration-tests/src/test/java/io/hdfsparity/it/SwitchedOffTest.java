/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.config.SuiteKey;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a feature stay when it is switched off: no client reads or writes them wrongly then. */
class SwitchedOffTest {
  private static final String ORDERED = "/ordered/f";

  @Test
  void clientsThatDoNotKnowAreRefusedStill(@TempDir java.nio.file.Path root) throws Exception {
    try (MiniCaso caso = MiniCaso.start(root)) {
      DistributedFileSystem stock = caso.stock();
      ErasureCodingPolicy izs =
          caso.addPolicy(new ErasureCodingPolicy(new ECSchema("izs", 4, 1), MiniCaso.CELL_BYTES));
      stock.enableErasureCodingPolicy(izs.getName());
      stock.mkdirs(new Path("/izs"));
      stock.setErasureCodingPolicy(new Path("/izs"), izs.getName());
      byte[] bytes = caso.make(ORDERED, 1);
      caso.organize(ORDERED);

      caso.cluster().getConfiguration(0).set(SuiteKey.FEATURES.key(), "ecupdate");
      caso.cluster().restartNameNode(0);
      caso.cluster().waitActive();
      try (DistributedFileSystem fresh =
          (DistributedFileSystem) caso.cluster().getNewFileSystemInstance(0)) {
        assertThatThrownBy(() -> read(fresh))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("hdfs caso -restore");
        assertThatThrownBy(() -> createAsForeigner(fresh))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("expected a client that computes codec izs");
      }
      assertThat(caso.read(ORDERED)).isEqualTo(bytes);
    }
  }

  private static byte[] read(DistributedFileSystem fs) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(ORDERED))) {
      return in.readAllBytes();
    }
  }

  private static void createAsForeigner(DistributedFileSystem fs) throws IOException {
    fs.getClient()
        .getNamenode()
        .create(
            "/izs/new",
            FsPermission.getFileDefault(),
            "hdfs_native_client-4f1c",
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
            /* createParent= */ true,
            (short) 3,
            64L * MiniCaso.CELL_BYTES,
            CryptoProtocolVersion.supported(),
            /* ecPolicyName= */ null,
            /* storagePolicy= */ null);
  }
}
