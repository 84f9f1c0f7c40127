/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.ClusterStatus;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The failure of three disks that share superchunks pairwise.
 *
 * @param disks those of the triangle, as the cluster calls them
 */
record DiskFailure(
    LocalCluster cluster,
    AdminCommand admin,
    Screen screen,
    DiskTriangle triangle,
    List<ClusterStatus.DiskStatus> disks) {
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration NOTICE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration DECLARED_TIMEOUT = Duration.ofSeconds(60);

  DiskFailure {
    disks = List.copyOf(disks);
  }

  /** Chooses the disks; the frames report their blocks every second. */
  static DiskFailure choose(LocalCluster cluster, AdminCommand admin, Screen screen)
      throws QuickstartException, IOException, InterruptedException {
    DiskTriangle triangle =
        Poll.answer(
            "Cannot choose three disks", REPORT_TIMEOUT, screen::progress, () -> fullest(admin));
    List<ClusterStatus.DiskStatus> all = cluster.status().disks();
    List<ClusterStatus.DiskStatus> disks = new ArrayList<>();
    for (DiskTriangle.Disk disk : triangle.disks()) {
      Path path = Path.of(disk.path()).toAbsolutePath().normalize();
      disks.add(
          all.stream()
              .filter(each -> each.root().equals(path.toString()))
              .findFirst()
              .orElseThrow(
                  () ->
                      QuickstartException.cluster(
                          "Cannot find a disk: path=%s, expected a disk of the cluster in %s",
                          path, cluster.dir())));
    }
    return new DiskFailure(cluster, admin, screen, triangle, disks);
  }

  private static DiskTriangle fullest(AdminCommand admin) throws Poll.NotYet, IOException {
    String none = "no three disks share whole superchunks with blocks pairwise, expected some";
    return DiskTriangle.fullest(
            admin.json("raidp -layout -json"), admin.json("raidp -status -json"))
        .orElseThrow(() -> new Poll.NotYet(none));
  }

  /** Names of the disks, as dn0/disk1. */
  String names() {
    return String.join(", ", disks.stream().map(ClusterStatus.DiskStatus::name).toList());
  }

  /** Fails all three. */
  void failAll() throws IOException {
    for (ClusterStatus.DiskStatus disk : disks) {
      cluster.failDisk(disk.node(), disk.disk());
    }
  }

  /** Puts an empty disk in the place of each. */
  void replace() throws IOException {
    for (ClusterStatus.DiskStatus disk : disks) {
      cluster.replaceDisk(disk.node(), disk.disk());
    }
  }

  /** Waits until the manager holds them for dead. */
  void awaitNoticed() throws QuickstartException, IOException, InterruptedException {
    long begin = System.nanoTime();
    Poll.Condition allDead = this::requireDead;
    try {
      Poll.until(NOTICE_TIMEOUT, screen::progress, allDead);
    } catch (Poll.NotYet e) {
      screen.line(
          "The DataNodes did not notice within %s s; telling the manager: raidp -failDisk",
          NOTICE_TIMEOUT.toSeconds());
      for (DiskTriangle.Disk disk : triangle.disks()) {
        if (!DiskTriangle.health(admin.json("raidp -status -json"), disk).equals("DEAD")) {
          admin.json("raidp -failDisk %s -json", disk.id());
        }
      }
      String otherwise = "The failed disks were not noticed";
      Poll.answer(otherwise, DECLARED_TIMEOUT, screen::progress, allDead);
    }
    screen.line("noticed by the cluster after {ms}", Texts.msSince(begin));
  }

  private void requireDead() throws Poll.NotYet, IOException {
    JsonNode status = admin.json("raidp -status -json");
    for (DiskTriangle.Disk disk : triangle.disks()) {
      String health = DiskTriangle.health(status, disk);
      String template = "disk %s of %s is still %s, expected DEAD";
      Poll.NotYet.unless(health.equals("DEAD"), template, disk.id(), disk.node(), health);
    }
  }
}
