/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFilesTest {
  @TempDir Path dir;

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void open(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  @Test
  void whatIsMadeIsPrivate() throws IOException {
    Path deep = dir.resolve("a/b");
    PrivateFiles.makeDirectories(deep);
    assertThat(mode(dir.resolve("a"))).isEqualTo("rwx------");
    assertThat(mode(deep)).isEqualTo("rwx------");
    Path file = deep.resolve("f");
    try (FileChannel made =
        PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertThat(made.size()).isZero();
    }
    PrivateFiles.makeFile(deep.resolve("g"));
    AtomicFiles.replace(deep.resolve("h"), new byte[1]);
    FileByteStore.create(deep.resolve("i"), 10, Allocation.SPARSE).close();
    for (String name : new String[] {"f", "g", "h", "i"}) {
      assertThat(mode(deep.resolve(name))).as(name).isEqualTo("rw-------");
    }
  }

  @Test
  void whatWasOpenIsClosed() throws IOException {
    open(dir, "rwxr-xr-x");
    Path file = Files.createFile(dir.resolve("parity"));
    open(file, "rw-r--r--");
    Path good = Files.createFile(dir.resolve("good"));
    open(good, "r--------");
    Path within = Files.createDirectory(dir.resolve("within"));
    open(within, "rwxr-xr-x");
    Files.createSymbolicLink(dir.resolve("link"), within);
    assertThat(PrivateFiles.secure(dir)).containsExactlyInAnyOrder(dir, file);
    assertThat(mode(dir)).isEqualTo("rwx------");
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(mode(good)).isEqualTo("r--------");
    assertThat(mode(within)).as("not ours").isEqualTo("rwxr-xr-x");
    assertThat(PrivateFiles.secure(dir)).isEmpty();
  }

  @Test
  void whatCannotBeADirectoryIsRefused() throws IOException {
    Path file = Files.createFile(dir.resolve("file"));
    assertThatThrownBy(() -> PrivateFiles.secure(file)).isInstanceOf(IOException.class);
  }
}
