/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.lstord.LstorDaemon;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Starts what a MiniDFSCluster does not know. */
final class Daemons {
  private Daemons() {}

  /** One daemon that serves the Lstors of all nodes; stopped with the cluster. */
  static LstorDaemon startLstors(MiniRaidp raidp) throws IOException {
    List<String> dirs = new ArrayList<>();
    for (int node = 0; node < raidp.shape().nodes(); node++) {
      for (int disk = 0; disk < raidp.shape().disks(); disk++) {
        dirs.add(MiniRaidp.lstorDir(raidp.root(), node, disk).toString());
      }
    }
    Configuration conf = new Configuration(raidp.conf());
    conf.set("dfs.parity.raidp.lstor.dirs", String.join(",", dirs));
    conf.set("dfs.parity.raidp.lstor.rpc-address", "127.0.0.1:0");
    LstorDaemon daemon = new LstorDaemon(conf, Clock.system());
    raidp.closeLater(daemon);
    return daemon;
  }
}
