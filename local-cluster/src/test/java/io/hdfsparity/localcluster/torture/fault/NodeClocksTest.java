/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the library is looked for, and what processes are told. */
class NodeClocksTest {
  @TempDir Path dir;

  @Test
  void theLibraryIsFoundInAFolderOfTheMachineOrInNone() throws IOException {
    List<Path> places = List.of(dir.resolve("none"), dir.resolve("lib"), dir.resolve("lib64"));
    assertThat(NodeClocks.library(places)).isEmpty();
    Path own = dir.resolve("lib64/faketime/libfaketimeMT.so.1");
    Files.createDirectories(own.getParent());
    Files.createFile(own);
    assertThat(NodeClocks.library(places)).contains(own);
    Path ofMachine = dir.resolve("lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");
    Files.createDirectories(ofMachine.getParent());
    Files.createFile(ofMachine);
    assertThat(NodeClocks.library(places)).contains(ofMachine);
  }

  @Test
  void eachNodeHasAnOffsetOfItsOwn() throws IOException {
    NodeClocks clocks = new NodeClocks(dir.resolve("library.so"), dir.resolve("clocks"));
    clocks.make(2);
    clocks.set(1, -5);
    clocks.set(0, 60);
    Map<String, String> environment = clocks.environment(1);
    assertThat(environment)
        .containsEntry("LD_PRELOAD", dir.resolve("library.so").toString())
        .containsEntry("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    assertThat(Path.of(environment.get("FAKETIME_TIMESTAMP_FILE"))).hasContent("-5\n");
    assertThat(Path.of(clocks.environment(0).get("FAKETIME_TIMESTAMP_FILE"))).hasContent("+60\n");
  }
}
