/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.secondsSince;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Fails three disks that share superchunks pairwise, and waits until the cluster has noticed. */
record FailureStep(LocalCluster cluster, Admin admin, Screen screen) {
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration NOTICE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration DECLARED_TIMEOUT = Duration.ofSeconds(15);

  /** Chooses the disks; the frames report their blocks every second. */
  DiskTriangle choose() throws QuickstartException, InterruptedException {
    return Poll.answer(
        "Cannot choose three disks",
        REPORT_TIMEOUT,
        screen::progress,
        () ->
            DiskTriangle.fullest(admin.json("-layout -json"), admin.json("-status -json"))
                .orElseThrow(
                    () ->
                        new Poll.NotYet(
                            "no three disks share whole superchunks with blocks pairwise, expected some")));
  }

  /** The name of a disk for the cluster's commands, as dn0/disk1. */
  String name(DiskTriangle.Disk disk) throws QuickstartException {
    int[] at = find(disk);
    return "dn" + at[0] + "/disk" + at[1];
  }

  private int[] find(DiskTriangle.Disk disk) throws QuickstartException {
    ClusterPaths paths = new ClusterPaths(cluster.dir());
    Path path = Path.of(disk.path()).toAbsolutePath().normalize();
    for (int node = 0; node < cluster.spec().nodes(); node++) {
      for (int index = 0; index < cluster.spec().disksPerNode(); index++) {
        if (paths.diskRoot(node, index).equals(path)) {
          return new int[] {node, index};
        }
      }
    }
    throw QuickstartException.cluster(
        "Cannot find a disk: path=%s, expected a disk of the cluster in %s", path, paths.root());
  }

  /** Fails all three. */
  void fail(DiskTriangle failed) throws QuickstartException, IOException {
    for (DiskTriangle.Disk disk : failed.disks()) {
      int[] at = find(disk);
      cluster.failDisk(at[0], at[1]);
    }
  }

  /** Puts an empty disk in the place of each. */
  void replace(DiskTriangle failed) throws QuickstartException, IOException {
    for (DiskTriangle.Disk disk : failed.disks()) {
      int[] at = find(disk);
      cluster.replaceDisk(at[0], at[1]);
    }
  }

  /** Waits until the manager holds them for dead. */
  void awaitNoticed(DiskTriangle failed) throws QuickstartException, InterruptedException {
    long begin = System.nanoTime();
    try {
      Poll.until(NOTICE_TIMEOUT, screen::progress, () -> requireDead(failed));
    } catch (Poll.NotYet e) {
      screen.line(
          "The DataNodes did not notice within %s s; telling the manager: raidp -failDisk",
          NOTICE_TIMEOUT.toSeconds());
      for (DiskTriangle.Disk disk : failed.disks()) {
        if (!DiskTriangle.health(admin.json("-status -json"), disk).equals("DEAD")) {
          admin.json("-failDisk %s -json", disk.id());
        }
      }
      Poll.answer(
          "The failed disks were not noticed",
          DECLARED_TIMEOUT,
          screen::progress,
          () -> requireDead(failed));
    }
    screen.line("noticed by the cluster after %s", secondsSince(begin));
  }

  private boolean requireDead(DiskTriangle failed) throws Poll.NotYet, QuickstartException {
    JsonNode status = admin.json("-status -json");
    for (DiskTriangle.Disk disk : failed.disks()) {
      String health = DiskTriangle.health(status, disk);
      if (!health.equals("DEAD")) {
        throw new Poll.NotYet(
            "disk %s of %s is still %s, expected DEAD", disk.id(), disk.node(), health);
      }
    }
    return true;
  }
}
