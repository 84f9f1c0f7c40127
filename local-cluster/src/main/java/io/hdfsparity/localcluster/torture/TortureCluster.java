/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.localcluster.Await;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.DaemonLaunch;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import io.hdfsparity.localcluster.torture.plan.FaultKind;
import io.hdfsparity.localcluster.torture.plan.Feature;
import io.hdfsparity.localcluster.torture.plan.Schedule;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The cluster of a schedule. */
final class TortureCluster {
  private static final int USUAL_NODES = 6;

  /** Four data units, three parity units and one node more. */
  private static final int IZS_NODES = 8;

  private static final Duration LIVE_TIMEOUT = Duration.ofMinutes(3);

  private TortureCluster() {}

  /** How many DataNodes it has. */
  static int nodes(Set<Feature> features) {
    ClusterMode mode = Feature.mode(features);
    return mode.hasIzs() ? IZS_NODES : USUAL_NODES;
  }

  /** Describes it. */
  static LocalCluster describe(
      Schedule schedule, Path dir, Path cacheDir, DaemonLaunch launch, Consumer<String> log)
      throws IOException {
    ClusterMode mode = Feature.mode(schedule.features());
    LocalClusterBuilder builder =
        LocalCluster.builder(dir)
            .mode(mode)
            .nodes(schedule.nodes())
            .racks(mode == ClusterMode.ALL ? schedule.nodes() : mode.hasRaidp() ? 3 : 2)
            .cacheDir(cacheDir)
            .launch(launch)
            .log(log)
            .blockBytes(4L << 20)
            // After a failover HDFS deletes surplus units only once each node has reported all. As
            // long as they are there, a group of seven has no node left for one that it lacks.
            .conf("dfs.blockreport.intervalMsec", "20000")
            .conf("dfs.parity.cluster.jvm.options.datanode", "-Xmx256m");
    if (mode.hasRaidp()) {
      builder
          .disksPerNode(2)
          .framesPerDisk(6)
          .frameBytes(128L << 20)
          .unitBytes(128L << 10)
          .journalBytes(16L << 20)
          .conf("dfs.parity.raidp.max.block.size", String.valueOf(4L << 20))
          .conf("dfs.parity.raidp.layout.spare.share", "0.3");
    } else {
      builder.disksPerNode(1);
    }
    if (schedule.has(FaultKind.FAILOVER)) {
      builder.highlyAvailable();
    }
    return builder.build();
  }

  /** Waits until the NameNode holds all DataNodes for alive. */
  static void awaitLive(LocalCluster cluster) throws IOException {
    int nodes = cluster.spec().nodes();
    Await.until(
        "see all DataNodes again",
        LIVE_TIMEOUT,
        () -> {
          try {
            int live = cluster.metrics().liveNodes();
            return live == nodes
                ? Optional.empty()
                : Optional.of(live + " of " + nodes + " are alive");
          } catch (IOException e) {
            return Optional.of("the NameNode does not answer: " + e.getMessage());
          }
        });
  }
}
