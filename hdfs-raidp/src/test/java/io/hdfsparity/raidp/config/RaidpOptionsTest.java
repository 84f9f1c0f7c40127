/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RaidpOptionsTest {
  private static final String P = RaidpKey.PREFIX;

  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.set(P + "disk.roots", "/d/0, /d/1");
    conf.set(P + "lstor.dirs", "/l/0, file:/l/1");
    return conf;
  }

  @Test
  void disksAreTheParentsOfDataDirectoriesUnlessTheyAreNamed() {
    Configuration conf = conf();
    conf.unset(P + "disk.roots");
    conf.set("dfs.datanode.data.dir", "/data/2/hdfs, [DISK]file:///data/1/a, /data/1/b");
    assertThat(RaidpOptions.node(conf).disks())
        .containsExactly(
            new NodeOptions.Disk(Path.of("/data/2"), Path.of("/l/0")),
            new NodeOptions.Disk(Path.of("/data/1"), Path.of("/l/1")));
    conf.set("dfs.datanode.data.dir", "/data/2/hdfs");
    assertThatThrownBy(() -> RaidpOptions.node(conf))
        .hasMessageContaining("one for each of dfs.parity.raidp.disk.roots=[/data/2]");
  }

  @Test
  void defaultsAreThoseOfTheKeys() {
    NodeOptions node = RaidpOptions.node(conf());
    assertThat(node.disks())
        .containsExactly(
            new NodeOptions.Disk(Path.of("/d/0"), Path.of("/l/0")),
            new NodeOptions.Disk(Path.of("/d/1"), Path.of("/l/1")));
    assertThat(node.frames().frameBytes()).isEqualTo(4L << 30);
    assertThat(node.frames().unitBytes()).isEqualTo(1 << 20);
    assertThat(node.frames().unitsPerFrame()).isEqualTo(4096);
    assertThat(node.lstor().journalBytes()).isEqualTo(256L << 20);
    assertThat(node.settling().mode()).isEqualTo(Mode.IDLE);
    assertThat(node.settling().granularity()).isEqualTo(Granularity.BLOCK);
    assertThat(node.reportIntervalMs()).isEqualTo(1000);

    ManagerOptions manager = RaidpOptions.manager(new Configuration(false));
    // What HBase asks for, without keys of its own, for logs.
    assertThat(manager.placement().maxBlockBytes()).isEqualTo(256L << 20);
    assertThat(manager.layout().spareShare()).isEqualTo(0.1);
    assertThat(manager.layout().roomDisks()).isEqualTo(2);
    assertThat(manager.recovery().auto()).isFalse();
    assertThat(manager.recovery().pace().chunkBytes()).isEqualTo(4 << 20);
    assertThat(manager.recovery().pace().lock()).isEqualTo(LockGranularity.RANGE);
    assertThat(manager.silence().deadMs()).isEqualTo(600_000);

    LstorDaemonOptions lstor = RaidpOptions.lstorDaemon(conf());
    assertThat(lstor.bindAddress()).isEqualTo("0.0.0.0:9878");
  }

  @Test
  void disksMayShareAnLstorDirectory() {
    Configuration conf = conf();
    conf.set(P + "lstor.dirs", "/l,/l");
    assertThat(RaidpOptions.node(conf).disks())
        .extracting(NodeOptions.Disk::lstorDir)
        .containsExactly(Path.of("/l"), Path.of("/l"));
    assertThat(RaidpOptions.lstorDaemon(conf).lstorDirs()).containsExactly(Path.of("/l"));
  }

  @Test
  void valuesAreRead() {
    Configuration conf = conf();
    conf.set(P + "mode", "Inline");
    conf.set(P + "granularity", "packet");
    conf.set(P + "report.interval", "250ms");
    conf.set(P + "frame.size", "6g");
    NodeOptions node = RaidpOptions.node(conf);
    assertThat(node.settling().mode()).isEqualTo(Mode.INLINE);
    assertThat(node.settling().granularity()).isEqualTo(Granularity.PACKET);
    assertThat(node.reportIntervalMs()).isEqualTo(250);
    assertThat(node.frames().frameBytes()).isEqualTo(6L << 30);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unit.size | 100k | multiple of 64k",
        "unit.size | one | size in bytes",
        "frame.size | 100m | at least",
        "frame.size | 134217729 | multiple of",
        "mode | lazy | one of",
        "journal.size | 1m | largest block could never be written",
        "report.interval | soon | duration",
        "peer.timeout | 1ms | 10..3600000",
        "disk.roots | /d/0 | one for each",
        "disk.roots | /d/0,/d/0 | each root once",
        "disk.roots | /d/0,/d/0/x | no root under another",
        "disk.roots | d0,d1 | absolute",
        "lstor.dirs | /d/0/l,/l/1 | lost together with the disk",
      })
  void aWrongValueIsNamedWithItsKeyAndRule(String key, String value, String rule) {
    Configuration conf = conf();
    conf.set(P + key, value);
    assertThatThrownBy(() -> RaidpOptions.node(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Cannot use configuration: " + P)
        .hasMessageContaining(rule);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "layout.spare.share | 1 | not including, 1",
        "layout.recovery.room.disks | 3 | 0..2",
        "recovery.auto | yes | true or false",
        "recovery.chunk.size | 1000000 | multiple of 64k",
        "node.stale.timeout | 1s | more than",
        "node.dead.timeout | 2s | at least",
        "recovery.throttle | -1 | 0..",
        "recovery.throttle | 10 | at least 64k",
      })
  void theManagersValuesAreChecked(String key, String value, String rule) {
    Configuration conf = new Configuration(false);
    conf.set(P + key, value);
    assertThatThrownBy(() -> RaidpOptions.manager(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(P + key)
        .hasMessageContaining(rule);
  }

  @Test
  void anUnknownKeyIsAnErrorForEveryReader() {
    Configuration conf = conf();
    conf.set(P + "jornal.size", "1g");
    for (Runnable read :
        List.<Runnable>of(
            () -> RaidpOptions.node(conf),
            () -> RaidpOptions.manager(conf),
            () -> RaidpOptions.lstorDaemon(conf),
            () -> RaidpOptions.adminTimeoutMs(conf))) {
      assertThatThrownBy(read::run)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("jornal.size=1g");
    }
  }

  @Test
  void everyDefaultPassesItsOwnValidation() {
    Configuration conf = conf();
    for (RaidpKey key : RaidpKey.values()) {
      if (!key.defaultValue().isEmpty()) {
        conf.set(key.key(), key.defaultValue());
      }
    }
    assertThat(RaidpOptions.node(conf)).isEqualTo(RaidpOptions.node(conf()));
    assertThat(RaidpOptions.manager(conf)).isEqualTo(RaidpOptions.manager(conf()));
    assertThat(RaidpOptions.lstorDaemon(conf)).isEqualTo(RaidpOptions.lstorDaemon(conf()));
  }
}
