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
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;

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

  /** After this time all blocks have been reported. */
  private static final Duration REPORTED = Duration.ofSeconds(10);

  private static final Duration NOTICE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration DECLARED_TIMEOUT = Duration.ofSeconds(60);

  DiskFailure {
    disks = List.copyOf(disks);
  }

  /**
   * Chooses the disks; the frames report their blocks every second. Few small files may leave a
   * superchunk without blocks: HDFS writes the first replicas to one node.
   */
  static DiskFailure choose(LocalCluster cluster, AdminCommand admin, Screen screen)
      throws QuickstartException, IOException, InterruptedException {
    long beganNanos = System.nanoTime();
    DiskTriangle triangle =
        Poll.answer(
            "Cannot choose three disks",
            REPORT_TIMEOUT,
            screen::progress,
            () -> {
              boolean isReported = System.nanoTime() - beganNanos >= REPORTED.toNanos();
              return fullest(admin, isReported ? 1 : 3);
            });
    List<ClusterStatus.DiskStatus> disks = new ArrayList<>();
    for (DiskTriangle.Disk disk : triangle.disks()) {
      disks.add(at(cluster, disk.path()));
    }
    return new DiskFailure(cluster, admin, screen, triangle, disks);
  }

  /** The disk that covers most blocks; it waits for one that covers any. */
  static ClusterStatus.DiskStatus chooseOne(LocalCluster cluster, AdminCommand admin, Screen screen)
      throws QuickstartException, IOException, InterruptedException {
    String path =
        Poll.answer(
            "Cannot choose a disk",
            REPORT_TIMEOUT,
            screen::progress,
            () -> fullestDisk(admin.json("raidp -status -json")));
    return at(cluster, path);
  }

  private static String fullestDisk(JsonNode status) throws Poll.NotYet {
    return StreamSupport.stream(status.path("nodes").spliterator(), /* parallel= */ false)
        .flatMap(node -> StreamSupport.stream(node.path("disks").spliterator(), false))
        .filter(disk -> disk.path("blocks").asInt() > 0)
        .max(Comparator.comparingInt(disk -> disk.path("blocks").asInt()))
        .map(disk -> disk.path("path").asText())
        .orElseThrow(() -> new Poll.NotYet("no disk covers a block, expected some"));
  }

  private static ClusterStatus.DiskStatus at(LocalCluster cluster, String diskPath)
      throws QuickstartException, IOException {
    Path path = Path.of(diskPath).toAbsolutePath().normalize();
    return cluster.status().disks().stream()
        .filter(each -> each.root().equals(path.toString()))
        .findFirst()
        .orElseThrow(
            () ->
                QuickstartException.cluster(
                    "Cannot find a disk: path=%s, expected a disk of the cluster in %s",
                    path, cluster.dir()));
  }

  private static DiskTriangle fullest(AdminCommand admin, int minFilled)
      throws Poll.NotYet, IOException {
    String none = "no three disks share whole superchunks with blocks pairwise, expected some";
    return DiskTriangle.fullest(
            admin.json("raidp -layout -json"), admin.json("raidp -status -json"), minFilled)
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
          admin.json("raidp -failDisk %s -force -json", disk.id());
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
