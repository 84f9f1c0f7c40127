/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Fails two disks that share a superchunk, and waits until the cluster has noticed. */
final class FailureStep {
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration NOTICE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration DECLARED_TIMEOUT = Duration.ofSeconds(15);
  private final LocalCluster cluster;
  private final Admin admin;
  private final Screen screen;

  FailureStep(LocalCluster cluster, Admin admin, Screen screen) {
    this.cluster = cluster;
    this.admin = admin;
    this.screen = screen;
  }

  /** Chooses the two disks; the frames report their blocks every second. */
  DiskPair choose() throws QuickstartException, InterruptedException {
    AtomicReference<DiskPair> chosen = new AtomicReference<>();
    Optional<String> missing =
        Poll.until(
            REPORT_TIMEOUT,
            screen::progress,
            () -> {
              Optional<DiskPair> pair =
                  DiskPair.fullest(admin.json("-layout", "-json"), admin.json("-status", "-json"));
              pair.ifPresent(chosen::set);
              return pair.isPresent()
                  ? Optional.empty()
                  : Optional.of("no whole superchunk has reported blocks, expected one");
            });
    if (missing.isPresent()) {
      throw new QuickstartException(Kind.CLUSTER, "Cannot choose two disks: " + missing.get());
    }
    return chosen.get();
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
    throw new QuickstartException(
        Kind.CLUSTER,
        "Cannot find a disk: path=" + path + ", expected a disk of the cluster in " + paths.root());
  }

  /** Fails both. */
  void fail(DiskPair pair) throws QuickstartException, IOException {
    for (DiskPair.Disk disk : new DiskPair.Disk[] {pair.first(), pair.second()}) {
      int[] at = find(disk);
      cluster.failDisk(at[0], at[1]);
    }
  }

  /** Waits until the manager holds both disks for dead. */
  void awaitNoticed(DiskPair pair) throws QuickstartException, InterruptedException {
    long begin = System.nanoTime();
    Optional<String> missing = Poll.until(NOTICE_TIMEOUT, screen::progress, () -> missing(pair));
    if (missing.isPresent()) {
      screen.line(
          "The DataNodes did not notice within "
              + NOTICE_TIMEOUT.toSeconds()
              + " s; telling the manager: raidp -failDisk");
      for (DiskPair.Disk disk : new DiskPair.Disk[] {pair.first(), pair.second()}) {
        if (!DiskPair.health(admin.json("-status", "-json"), disk).equals("DEAD")) {
          admin.json("-failDisk", disk.id(), "-json");
        }
      }
      missing = Poll.until(DECLARED_TIMEOUT, screen::progress, () -> missing(pair));
    }
    if (missing.isPresent()) {
      throw new QuickstartException(
          Kind.CLUSTER, "The failed disks were not noticed: " + missing.get());
    }
    screen.line(
        "noticed by the cluster after " + Texts.seconds((System.nanoTime() - begin) / 1_000_000));
  }

  private Optional<String> missing(DiskPair pair) throws QuickstartException {
    JsonNode status = admin.json("-status", "-json");
    for (DiskPair.Disk disk : new DiskPair.Disk[] {pair.first(), pair.second()}) {
      String health = DiskPair.health(status, disk);
      if (!health.equals("DEAD")) {
        return Optional.of(
            "disk " + disk.id() + " of " + disk.node() + " is still " + health + ", expected DEAD");
      }
    }
    return Optional.empty();
  }
}
