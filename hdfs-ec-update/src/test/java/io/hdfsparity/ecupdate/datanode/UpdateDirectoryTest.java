/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.ecupdate.HostileSizes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.RowMap;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpdateDirectoryTest {
  private static final ReplicaDescriptor DESCRIPTOR = TestReplica.descriptor(5000);
  @TempDir Path root;

  @Test
  void whatWasAdmittedIsFoundUntilItIsRemovedAndForgotten() throws Exception {
    UpdateDirectory directory = UpdateDirectory.open(root, "BP-1");
    assertThat(directory.admitted().isEmpty()).isTrue();
    directory.admit(-5, DESCRIPTOR);
    directory.admit(-4, DESCRIPTOR.withGenerationStamp(9));
    UpdateDirectory again = UpdateDirectory.open(root, "BP-1");
    assertThat(again.admitted().descriptors())
        .isEqualTo(Map.of(-5L, DESCRIPTOR, -4L, DESCRIPTOR.withGenerationStamp(9)));
    again.remove(-5);
    assertThat(again.admitted().descriptors()).containsOnlyKeys(-4L);
    assertThat(again.removed().descriptors()).isEqualTo(Map.of(-5L, DESCRIPTOR));
    again.forgetRemoved(-5);
    again.forget(-4);
    assertThat(again.admitted().isEmpty() && again.removed().isEmpty()).isTrue();
  }

  /** Its changes would be dropped, and the replica would count without them later. */
  @Test
  void aRemovalThatCannotBeNotedIsRefused() throws Exception {
    UpdateDirectory directory = UpdateDirectory.open(root, "BP-1");
    assertThatThrownBy(() -> directory.remove(-5))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("descriptor=none")
        .hasMessageContaining("blk_-5.replica");
    directory.admit(-5, DESCRIPTOR);
    for (int again = 0; again < 2; again++) {
      directory.remove(-5);
      assertThat(directory.removed().descriptors()).containsOnlyKeys(-5L);
    }
  }

  /**
   * Renamed, killed, and started: what is done then must not outlive the name that it relies on.
   */
  @Test
  void namesThatAKilledProcessMayHaveLeftAreForced() throws Exception {
    UpdateDirectory directory = UpdateDirectory.open(root, "BP-1");
    directory.admit(-5, DESCRIPTOR);
    Path log = root.resolve("forces.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
      recording.start();
      UpdateDirectory.open(root, "BP-1");
      recording.stop();
      recording.dump(log);
    }
    assertThat(RecordingFile.readAllEvents(log))
        .extracting(force -> force.getString("path"))
        .contains(
            root.resolve("ecupdate/BP-1").toString(),
            root.resolve("ecupdate").toString(),
            root.toString());
  }

  @Test
  void aRollbackOfHdfsIsAllowedUntilAReplicaWasAdmitted() throws Exception {
    try (EcUpdateDatasetHooks hooks = new EcUpdateDatasetHooks()) {
      assertThat(hooks.allowsRollback(root)).isTrue();
      UpdateDirectory directory = UpdateDirectory.open(root, "BP-1");
      directory.keepUse(-5, ReplicaUse.Kept.NOTHING);
      assertThat(hooks.allowsRollback(root)).isTrue();
      directory.admit(-5, DESCRIPTOR);
      assertThat(hooks.allowsRollback(root)).isFalse();
      directory.remove(-5);
      assertThat(hooks.allowsRollback(root)).isFalse();
      // HDFS would bring it back, but not what the log had for it.
      directory.forgetRemoved(-5);
      assertThat(hooks.allowsRollback(root)).isFalse();
    }
    Path older = Files.createDirectories(root.resolve("other/ecupdate/BP-1"));
    Files.createFile(older.resolve("blk_-5.replica"));
    try (EcUpdateDatasetHooks hooks = new EcUpdateDatasetHooks()) {
      assertThat(hooks.allowsRollback(root.resolve("other"))).isFalse();
    }
  }

  @Test
  void oneDamagedDescriptorDoesNotHideTheOthers() throws Exception {
    UpdateDirectory directory = UpdateDirectory.open(root, "BP-1");
    directory.admit(-5, DESCRIPTOR);
    directory.admit(-4, DESCRIPTOR);
    Path file = root.resolve("ecupdate/BP-1/blk_-4.replica");
    byte[] bytes = Files.readAllBytes(file);
    bytes[30] ^= 1;
    Files.write(file, bytes);
    UpdateDirectory.Found found = directory.admitted();
    assertThat(found.descriptors()).containsOnlyKeys(-5L);
    assertThat(found.damaged()).containsOnlyKeys(-4L);
  }

  @Test
  void aDescriptorIsOfOneReplica() throws Exception {
    byte[] bytes = DESCRIPTOR.encode(new ReplicaKey("BP-1", -5));
    assertThat(ReplicaDescriptor.decode(bytes, new ReplicaKey("BP-1", -5), "here"))
        .isEqualTo(DESCRIPTOR);
    assertThatThrownBy(() -> ReplicaDescriptor.decode(bytes, new ReplicaKey("BP-1", -4), "here"))
        .isInstanceOf(FormatException.class);
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream in =
        UpdateDirectoryTest.class.getResourceAsStream("/golden/v1/" + name + ".hex")) {
      return HexFormat.of().parseHex(new String(in.readAllBytes(), UTF_8).strip());
    }
  }

  /** One whose bytes stay in their place is written as it always was. */
  @Test
  void theFormatIsAsItWas() throws Exception {
    ReplicaKey key = new ReplicaKey("BP-1", -5);
    assertThat(DESCRIPTOR.encode(key)).isEqualTo(golden("ec-update-descriptor-1"));
    ReplicaDescriptor moved =
        new ReplicaDescriptor(
            new CodeTable(
                GfMatrix.cauchyParity(2, 2),
                RowMap.of(2, 2, 2, new byte[] {0, 1, 0, 1, 0, 1, 1, 0})),
            3,
            2048,
            5000,
            3,
            7,
            "PLR");
    assertThat(moved.encode(key)).isEqualTo(golden("ec-update-descriptor-2"));
    assertThat(ReplicaDescriptor.decode(golden("ec-update-descriptor-1"), key, "here"))
        .isEqualTo(DESCRIPTOR);
    assertThat(ReplicaDescriptor.decode(golden("ec-update-descriptor-2"), key, "here"))
        .isEqualTo(moved);
  }

  @Test
  void noSizeMakesItTakeMemory() throws Exception {
    ReplicaKey key = new ReplicaKey("BP-1", -5);
    for (int version = 1; version <= 2; version++) {
      HeaderFormat format = new HeaderFormat("ECUPDESC", 1, version);
      HostileSizes.check(
          HostileSizes.bytes(
              format
                  .decode(
                      ByteBuffer.wrap(golden("ec-update-descriptor-" + version)),
                      key.toString(),
                      "here")
                  .payload()),
          payload ->
              ReplicaDescriptor.decode(
                  HostileSizes.bytes(format.encode(key.toString(), ByteBuffer.wrap(payload))),
                  key,
                  "here"));
    }
  }

  @Test
  void aMapThatIsNoneIsDamage() throws Exception {
    ReplicaKey key = new ReplicaKey("BP-1", -5);
    HeaderFormat.Header header =
        ReplicaDescriptor.FORMAT.decode(
            ByteBuffer.wrap(golden("ec-update-descriptor-2")), key.toString(), "here");
    byte[] payload = new byte[header.payload().remaining()];
    header.payload().get(payload);
    for (int at : new int[] {payload.length - 1, payload.length - 9}) {
      byte[] damaged = payload.clone();
      damaged[at] = 3;
      ByteBuffer encoded =
          ReplicaDescriptor.FORMAT.encode(key.toString(), ByteBuffer.wrap(damaged));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      assertThatThrownBy(() -> ReplicaDescriptor.decode(bytes, key, "here"))
          .isInstanceOf(CorruptFormatException.class);
    }
  }
}
