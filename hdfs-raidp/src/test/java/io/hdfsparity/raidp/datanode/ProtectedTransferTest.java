/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.lstord.LstorDaemon;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who encrypts data transfer does not get the same bytes in clear by RPC. */
class ProtectedTransferTest {
  @TempDir Path dir;

  @Test
  void nothingStartsThatWouldSendInClear() {
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean("dfs.encrypt.data.transfer", true);
    conf.set("dfs.parity.raidp.lstor.dirs", dir.toString());
    conf.set("dfs.parity.raidp.lstor.rpc-address", "127.0.0.1:0");
    assertThatThrownBy(() -> new RaidpDatasetHooks().open(null, null, conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("dfs.encrypt.data.transfer=true")
        .hasMessageContaining("set hadoop.rpc.protection=privacy");
    assertThatThrownBy(() -> new LstorDaemon(conf, Clock.system()).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("dfs.encrypt.data.transfer=true")
        .hasMessageContaining("set hadoop.rpc.protection=privacy");
  }
}
