/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalReplicaFilesTest {
  @TempDir Path folder;

  private Path state;
  private Path reserved;
  private LocalReplicaFiles files;

  @BeforeEach
  void names() {
    state = folder.resolve("state");
    reserved = folder.resolve("reserved");
    files = new LocalReplicaFiles(folder.resolve("block"), folder.resolve("meta"), state, reserved);
  }

  @Test
  void aReplicaThatWasNeverChangedHasNoState() throws IOException {
    assertThat(files.readState()).isEmpty();
    assertThat(files.reserved()).isEmpty();
    files.writeState(new byte[] {1, 2});
    assertThat(files.readState()).containsExactly(1, 2);
  }

  /** Else its changes would be lost: what cannot be looked at is not "not there". */
  @Test
  void filesThatCannotBeLookedAtAreNotMissing() throws IOException {
    Files.createSymbolicLink(state, state);
    Files.createSymbolicLink(reserved, reserved);
    assertThat(Files.exists(state)).isFalse();
    assertThatThrownBy(files::readState).isInstanceOf(IOException.class);
    assertThatThrownBy(files::reserved).isInstanceOf(IOException.class);
  }
}
