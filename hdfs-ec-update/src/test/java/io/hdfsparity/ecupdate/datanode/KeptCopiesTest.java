/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies on a disk, and the replicas on another one for which HDFS wanted to delete them. */
class KeptCopiesTest extends UpdateVolumeFixture {
  private static final long NEXT = BLOCK - 16;
  @TempDir Path otherRoot;
  private OneVolume other;
  private KeptCopies copies;

  @BeforeEach
  void keep() throws Exception {
    other = new OneVolume(otherRoot);
    other.isUsedElsewhere = disk::isUsed;
    disk.add(NEXT, content);
    admit(DATA);
    volume.admit(NEXT, descriptor(DATA));
    copies = new KeptCopies("DS-2", other);
    for (long blockId : new long[] {BLOCK, NEXT}) {
      other.add(blockId, content);
      other.keep(blockId);
      copies.add(blockId);
    }
    Set<Long> taken = copies.takeUnsettled();
    assertThat(taken).containsExactlyInAnyOrder(BLOCK, NEXT);
    assertThat(copies.takeUnsettled()).isEmpty();
    copies.settled(taken);
  }

  private void use() {
    copies.use(List.of(volume));
  }

  @Test
  void eachIsUsedWhenHdfsHasRemovedTheReplacedOne() throws Exception {
    volume.changes().superseded(BLOCK, descriptor(DATA));
    volume.changes().superseded(NEXT, descriptor(DATA));
    use();
    disk.forget(NEXT);
    use();
    assertThat(other.isUsed(BLOCK)).isFalse();
    assertThat(other.isUsed(NEXT)).isTrue();
    disk.forget(BLOCK);
    use();
    assertThat(other.isUsed(BLOCK)).isTrue();
  }

  /** It may be changed, and the copy lacks that. */
  @Test
  void oneWhoseOtherReplicaStaysInUseIsNotUsed() throws Exception {
    volume.changes().superseded(NEXT, descriptor(DATA));
    use();
    disk.forget(BLOCK);
    disk.forget(NEXT);
    use();
    assertThat(other.isUsed(BLOCK)).isFalse();
    assertThat(other.isUsed(NEXT)).isTrue();
  }
}
