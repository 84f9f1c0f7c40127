/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.blockmanagement.WriteTokens;
import org.apache.hadoop.io.WritableUtils;
import org.junit.jupiter.api.Test;

/** Identifiers of tokens whose lengths lie. */
class TokenIdentifierBoundsTest {
  private static final int HUGE = Integer.MAX_VALUE;

  private static BlockTokenIdentifier identifier(boolean isProtobuf) {
    BlockTokenIdentifier identifier =
        new BlockTokenIdentifier(
            "alice",
            "BP-1",
            -16,
            EnumSet.allOf(BlockTokenIdentifier.AccessMode.class),
            new StorageType[] {StorageType.DISK, StorageType.ARCHIVE},
            new String[] {"DS-1", "DS-2"},
            isProtobuf);
    identifier.setHandshakeMsg(new byte[] {1, 2, 3});
    return identifier;
  }

  @Test
  void whatHadoopWritesIsRead() throws Exception {
    for (boolean isProtobuf : new boolean[] {true, false}) {
      BlockTokenIdentifier written = identifier(isProtobuf);
      BlockTokenIdentifier read = WriteTokens.parse(written.getBytes());
      assertThat(read).isEqualTo(written);
      assertThat(WriteTokens.markOf(written.getBytes())).containsExactly(1, 2, 3);
    }
  }

  @Test
  void whatIsCutIsRefusedOrRead() throws Exception {
    byte[] whole = identifier(false).getBytes();
    int refused = 0;
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      try {
        TokenIdentifierBounds.check(cut);
      } catch (IOException e) {
        refused++;
      }
    }
    assertThat(refused).as("but where an older version ended").isGreaterThan(whole.length - 4);
  }

  private interface Rest {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] legacy(String user, Rest rest) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    WritableUtils.writeVLong(out, Long.MIN_VALUE); // a first byte that is no protobuf's
    WritableUtils.writeVInt(out, 1);
    WritableUtils.writeString(out, user);
    WritableUtils.writeString(out, "BP-1");
    WritableUtils.writeVLong(out, -16);
    rest.write(out);
    return bytes.toByteArray();
  }

  private static void assertRefused(byte[] identifier) {
    assertThatThrownBy(() -> WriteTokens.parse(identifier))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot read the identifier of a block token");
  }

  /** A count that comes after so many that are 0. */
  private static byte[] afterEmpty(int empty, int count) throws IOException {
    return legacy(
        "a",
        out -> {
          for (int i = 0; i < empty; i++) {
            WritableUtils.writeVInt(out, 0);
          }
          WritableUtils.writeVInt(out, count);
        });
  }

  /** Hadoop's own parser would ask for 8 GB, and the DataNode would be out of memory. */
  @Test
  void lengthsThatGoBeyondTheEndTakeNoMemory() throws Exception {
    for (int huge : new int[] {HUGE, 1 << 20, -1, Integer.MIN_VALUE}) {
      assertRefused(
          legacy(
              "a",
              out -> {
                WritableUtils.writeVInt(out, 1);
                WritableUtils.writeVInt(out, huge);
              }));
      for (int empty = 0; empty <= 3; empty++) {
        assertRefused(afterEmpty(empty, huge));
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    WritableUtils.writeVLong(out, Long.MIN_VALUE);
    WritableUtils.writeVInt(out, 1);
    out.writeInt(HUGE); // of the user's name
    assertRefused(bytes.toByteArray());
  }
}
