/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.wal.ReplicaKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
}
