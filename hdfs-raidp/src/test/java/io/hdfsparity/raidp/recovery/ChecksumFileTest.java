/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.Test;

/** Against the checksum files that Hadoop itself writes. */
class ChecksumFileTest {
  private static byte[] hadoopFile(DataChecksum checksum, byte[] data) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BlockMetadataHeader.writeHeader(new DataOutputStream(bytes), checksum);
    int chunks =
        (data.length + checksum.getBytesPerChecksum() - 1) / checksum.getBytesPerChecksum();
    byte[] crcs = new byte[chunks * checksum.getChecksumSize()];
    checksum.calculateChunkedSums(data, 0, data.length, crcs, 0);
    bytes.write(crcs);
    return bytes.toByteArray();
  }

  private static SlotEntry row(int type, int chunk, long length) {
    return SimCluster.row(
        0, 5, 9, List.of(new Run(0, 1)), length, true, type, chunk, SlotState.LIVE);
  }

  @Test
  void acceptsWhatHadoopWroteAndFindsEveryFlippedBit() {
    SeededRuns.of(60)
        .check(
            random -> {
              int chunk = List.of(1, 7, 512, 4096, 262144).get(random.nextInt(5));
              DataChecksum.Type type =
                  random.nextBoolean() ? DataChecksum.Type.CRC32 : DataChecksum.Type.CRC32C;
              byte[] data = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(9000)];
              random.nextBytes(data);
              byte[] file = hadoopFile(DataChecksum.newDataChecksum(type, chunk), data);
              ChecksumFile checksums = ChecksumFile.of(row(type.id, chunk, data.length), file);
              ByteBuffer bytes =
                  random.nextBoolean()
                      ? ByteBuffer.wrap(data)
                      : ByteBuffer.allocateDirect(data.length).put(data).flip();
              assertThat(checksums.mismatch(0, bytes)).isNull();
              assertThat(bytes.remaining()).isEqualTo(data.length);
              assertThat(ChecksumFile.ofReplica(5, data.length, file).mismatch(0, bytes)).isNull();
              if (data.length > 0) {
                int hit = random.nextInt(data.length);
                bytes.put(hit, (byte) (bytes.get(hit) ^ (1 << random.nextInt(8))));
                assertThat(checksums.mismatch(0, bytes))
                    .isEqualTo("CRC mismatch at offset=" + hit / chunk * chunk);
                int from = hit / chunk * chunk;
                assertThat(checksums.mismatch(from, bytes.duplicate().position(from))).isNotNull();
              }
            });
  }

  @Test
  void refusesHeadersThatAreNotTheRows() throws Exception {
    byte[] good =
        hadoopFile(DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512), new byte[1000]);
    SlotEntry row = row(2, 512, 1000);
    for (int at = 0; at < 7; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 1;
      assertThatThrownBy(() -> ChecksumFile.of(row, bad))
          .isInstanceOf(VerificationException.class)
          .hasMessageContaining("block=5");
    }
    assertThatThrownBy(() -> ChecksumFile.of(row, java.util.Arrays.copyOf(good, good.length - 1)))
        .hasMessageContaining("metaLength=14, expected 15");
    assertThatThrownBy(() -> ChecksumFile.of(row(0, 512, 1000), good))
        .hasMessageContaining("checksumType=0");
    assertThatThrownBy(() -> ChecksumFile.ofReplica(5, 1000, new byte[3]))
        .hasMessageContaining("metaLength=3");
    assertThatThrownBy(() -> ChecksumFile.of(row, good).mismatch(100, ByteBuffer.allocate(5)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
