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

/** Fails two disks that share a superchunk, and waits until the cluster has noticed. */
record FailureStep(LocalCluster cluster, Admin admin, Screen screen) {
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration NOTICE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration DECLARED_TIMEOUT = Duration.ofSeconds(15);

  /** Chooses the two disks; the frames report their blocks every second. */
  DiskPair choose() throws QuickstartException, InterruptedException {
    return Poll.answer(
        "Cannot choose two disks",
        REPORT_TIMEOUT,
        screen::progress,
        () ->
            DiskPair.fullest(admin.json("-layout -json"), admin.json("-status -json"))
                .orElseThrow(
                    () ->
                        new Poll.NotYet("no whole superchunk has reported blocks, expected one")));
  }

  /** The name of a disk for the cluster's commands, as dn0/disk1. */
  String name(DiskPair.Disk disk) throws QuickstartException {
    int[] at = find(disk);
    return "dn" + at[0] + "/disk" + at[1];
  }

  private int[] find(DiskPair.Disk disk) throws QuickstartException {
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

  /** Fails both. */
  void fail(DiskPair pair) throws QuickstartException, IOException {
    for (DiskPair.Disk disk : pair.disks()) {
      int[] at = find(disk);
      cluster.failDisk(at[0], at[1]);
    }
  }

  /** Waits until the manager holds both disks for dead. */
  void awaitNoticed(DiskPair pair) throws QuickstartException, InterruptedException {
    long begin = System.nanoTime();
    try {
      Poll.until(NOTICE_TIMEOUT, screen::progress, () -> requireDead(pair));
    } catch (Poll.NotYet e) {
      screen.line(
          "The DataNodes did not notice within %s s; telling the manager: raidp -failDisk",
          NOTICE_TIMEOUT.toSeconds());
      for (DiskPair.Disk disk : pair.disks()) {
        if (!DiskPair.health(admin.json("-status -json"), disk).equals("DEAD")) {
          admin.json("-failDisk %s -json", disk.id());
        }
      }
      Poll.answer(
          "The failed disks were not noticed",
          DECLARED_TIMEOUT,
          screen::progress,
          () -> requireDead(pair));
    }
    screen.line("noticed by the cluster after %s", secondsSince(begin));
  }

  private boolean requireDead(DiskPair pair) throws Poll.NotYet, QuickstartException {
    JsonNode status = admin.json("-status -json");
    for (DiskPair.Disk disk : pair.disks()) {
      String health = DiskPair.health(status, disk);
      if (!health.equals("DEAD")) {
        throw new Poll.NotYet(
            "disk %s of %s is still %s, expected DEAD", disk.id(), disk.node(), health);
      }
    }
    return true;
  }
}
