/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.izs.config.AccessOptions;
import io.hdfsparity.izs.history.HistoryShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryHomeTest {
  private static final HistoryShape SHAPE = new HistoryShape(60_000, 4, 16);

  @TempDir Path root;

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void open(Path directory) throws IOException {
    HistoryHome.open(directory, "cluster", SHAPE, 1).close();
  }

  @Test
  void nobodyElseEntersIt() throws IOException {
    Path made = root.resolve("a/b");
    open(made);
    assertThat(mode(made)).isEqualTo("rwx------");
    assertThat(mode(made.resolve("access-history"))).isEqualTo("rw-------");
    assertThat(mode(made.resolve("in_use.lock"))).isEqualTo("rw-------");
    // As an earlier version has left it.
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path file = made.resolve("access-history");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    open(made);
    assertThat(mode(made)).isEqualTo("rwx------");
    assertThat(mode(file)).isEqualTo("rw-------");
  }

  @Test
  void aLinkIsRefused() throws IOException {
    Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
    Path link = Files.createSymbolicLink(root.resolve("link"), elsewhere);
    assertThatThrownBy(() -> open(link))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("mode 0700")
        .hasMessageContaining("dfs.parity.izs.access.dir")
        .hasMessageContaining("directory=" + link);
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void itsHomeIsWhereTheNameNodeHasItsMetadata() {
    Configuration conf = new Configuration(false);
    conf.set("hadoop.tmp.dir", "/tmp/hadoop-of-anybody");
    conf.set("dfs.namenode.name.dir", "file:///data/1/dfs/name,file:///data/2/dfs/name");
    assertThat(AccessOptions.of(conf).directory()).isEqualTo(Path.of("/data/1/dfs/izs-access"));
    conf.set("dfs.parity.izs.access.dir", "/elsewhere");
    assertThat(AccessOptions.of(conf).directory()).isEqualTo(Path.of("/elsewhere"));
  }
}
