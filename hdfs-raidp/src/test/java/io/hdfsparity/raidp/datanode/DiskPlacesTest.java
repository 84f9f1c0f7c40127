/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.config.RaidpOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class DiskPlacesTest {
  private static final Path ONE = Path.of("/disk/1");
  private static final Path TWO = Path.of("/disk/2");
  private static final Set<Path> IN_SERVICE = Set.of(ONE);

  private static Configuration conf(String directories, String lstors) {
    Configuration conf = new Configuration(false);
    conf.set("dfs.datanode.data.dir", directories);
    conf.set("dfs.parity.raidp.lstor.dirs", lstors);
    return conf;
  }

  private static DiskPlaces one() throws IOException {
    Configuration conf = conf("/disk/1/data", "/fast/1");
    return DiskPlaces.of(conf, RaidpOptions.node(conf).disks());
  }

  private static DiskPlaces.Place arrive(DiskPlaces places, Configuration now) throws IOException {
    return places.arrive(TWO.resolve("data"), now, IN_SERVICE::contains);
  }

  @Test
  void aNewDiskHasTheLstorThatTheFilesNameNow() throws IOException {
    DiskPlaces places = one();
    Configuration live = conf("/disk/1/data,/disk/2/data", "/fast/1");
    Configuration files = conf("/disk/1/data,/disk/2/data", "/fast/1,/fast/2");
    DiskPlaces.Place place = arrive(places, DiskPlaces.changed(live, files));
    assertThat(place.root()).isEqualTo(TWO);
    assertThat(place.lstorDir()).isEqualTo(Path.of("/fast/2"));
    assertThat(places.roots()).containsExactly(ONE, TWO);
  }

  /** As in tests and programs that set their keys themselves. */
  @Test
  void aNodeWithoutTheKeysInItsFilesKeepsToItsOwn() throws IOException {
    DiskPlaces places = one();
    Configuration live = conf("/disk/1/data,/disk/2/data", "/fast/1,/fast/2");
    DiskPlaces.Place place =
        arrive(places, DiskPlaces.changed(live, new Configuration(/* loadDefaults= */ false)));
    assertThat(place.lstorDir()).isEqualTo(Path.of("/fast/2"));
  }

  @Test
  void aDiskWithoutAnLstorIsNotAdded() throws IOException {
    DiskPlaces places = one();
    assertThatThrownBy(() -> arrive(places, conf("/disk/1/data,/disk/2/data", "/fast/1")))
        .hasMessageContainingAll("Cannot add disk", "dfs.parity.raidp.lstor.dirs", "/disk/2/data");
    assertThat(places.roots()).containsExactly(ONE);
  }

  /** Lstors in another order than the disks, as after a hand that inserted one in front. */
  @Test
  void aDiskInServiceKeepsItsLstor() throws IOException {
    DiskPlaces places = one();
    assertThatThrownBy(() -> arrive(places, conf("/disk/1/data,/disk/2/data", "/fast/2,/fast/1")))
        .hasMessageContainingAll("Cannot add disk", "expected it as it is in service");
    assertThat(places.find(ONE))
        .hasValueSatisfying(place -> assertThat(place.lstorDir()).isEqualTo(Path.of("/fast/1")));
    assertThat(places.roots()).containsExactly(ONE);
  }

  @Test
  void aDiskThatHasGoneMayHaveAnotherLstor() throws IOException {
    Configuration both = conf("/disk/1/data,/disk/2/data", "/fast/1,/fast/2");
    DiskPlaces places = DiskPlaces.of(both, RaidpOptions.node(both).disks());
    DiskPlaces.Place place = arrive(places, conf("/disk/1/data,/disk/2/data", "/fast/1,/fast/3"));
    assertThat(place.lstorDir()).isEqualTo(Path.of("/fast/3"));
  }

  @Test
  void anAddedDiskHasOneDataDirectory() throws IOException {
    DiskPlaces places = one();
    assertThatThrownBy(
            () -> arrive(places, conf("/disk/1/data,/disk/2/data,/disk/2/more", "/fast/1,/fast/2")))
        .hasMessageContainingAll("Cannot add disk", "expected a disk with one data directory");
  }
}
