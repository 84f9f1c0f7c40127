/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusedDeletesTest {
  private static final String POOL = "BP-1";

  @TempDir private Path dir;

  /** Only handed on. */
  private final FsVolumeSpi volume =
      (FsVolumeSpi)
          Proxy.newProxyInstance(
              FsVolumeSpi.class.getClassLoader(),
              new Class<?>[] {FsVolumeSpi.class},
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
              });

  private final RefusedDeletes refused = new RefusedDeletes();

  private File file(String name) throws Exception {
    return Files.write(dir.resolve(name), new byte[7]).toFile();
  }

  @Test
  void whatIsStillThereIsFoundOnceWithItsChecksums() throws Exception {
    refused.add(POOL, 5, file("blk_5"));
    refused.add(POOL, 5, file("blk_5_1001.meta"));
    file("blk_51_1002.meta");
    List<ScanInfo> found = refused.take(POOL, blockId -> true, volume);
    assertThat(found).hasSize(1);
    assertThat(found.get(0).getBlockId()).isEqualTo(5);
    assertThat(found.get(0).getBlockFile()).isEqualTo(dir.resolve("blk_5").toFile());
    assertThat(found.get(0).getMetaFile()).isEqualTo(dir.resolve("blk_5_1001.meta").toFile());
    assertThat(found.get(0).getVolume()).isSameAs(volume);
    assertThat(refused.take(POOL, blockId -> true, volume)).isEmpty();
  }

  @Test
  void withoutChecksumsTheReplicaIsFoundAllTheSame() throws Exception {
    refused.add(POOL, 6, file("blk_6"));
    assertThat(refused.take(POOL, blockId -> true, volume).get(0).getMetaFile()).isNull();
  }

  @Test
  void whatIsGoneOrOfAnotherPoolOrNotFinalizedIsNotFound() throws Exception {
    File gone = file("blk_7");
    refused.add(POOL, 7, gone);
    Files.delete(gone.toPath());
    refused.add("BP-2", 8, file("blk_8"));
    refused.add(POOL, 9, null);
    assertThat(refused.take(POOL, blockId -> true, volume)).isEmpty();
    assertThat(refused.take("BP-2", blockId -> true, volume)).hasSize(1);
  }

  @Test
  void whatIsNotWantedYetIsFoundLater() throws Exception {
    refused.add(POOL, 5, file("blk_5"));
    refused.add(POOL, 6, file("blk_6"));
    assertThat(refused.take(POOL, blockId -> blockId == 6, volume))
        .extracting(ScanInfo::getBlockId)
        .containsExactly(6L);
    assertThat(refused.take(POOL, blockId -> true, volume))
        .extracting(ScanInfo::getBlockId)
        .containsExactly(5L);
  }
}
