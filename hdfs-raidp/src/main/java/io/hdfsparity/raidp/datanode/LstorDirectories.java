/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.doctor.RaidpCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the Lstors of a DataNode lie, for administrators. Stateless. */
final class LstorDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(LstorDirectories.class);
  private static final Set<PosixFilePermission> OWNER =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private LstorDirectories() {}

  /** Figures by name: lists of directories, empty where all is well. */
  static Map<String, String> figures(List<DiskPlaces.Place> disks) {
    List<LstorDevices> known = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (DiskPlaces.Place each : disks) {
      Path lstor = each.lstorDir();
      Path disk = each.root();
      try {
        known.add(new LstorDevices(lstor.toString(), device(disk), device(lstor)));
        if (!OWNER.containsAll(Files.getPosixFilePermissions(lstor))) {
          open.add(lstor.toString());
        }
      } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
        // A disk that has failed, which the manager knows; or a system without devices and modes.
        LOG.debug("Cannot look at an Lstor: lstor={} disk={}", lstor, disk, e);
      }
    }
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put(RaidpCheck.ON_DISK_DEVICE, String.join(" ", LstorDevices.onOwnDisk(known)));
    figures.put(RaidpCheck.ON_OTHER_DISK, String.join(" ", LstorDevices.onOtherDisk(known)));
    figures.put(RaidpCheck.ON_EACH_OTHER, String.join(" ", LstorDevices.onEachOther(known)));
    figures.put(RaidpCheck.OPEN_TO_OTHERS, String.join(" ", open));
    return figures;
  }

  private static Object device(Path path) throws IOException {
    return Files.getAttribute(path, "unix:dev");
  }
}
