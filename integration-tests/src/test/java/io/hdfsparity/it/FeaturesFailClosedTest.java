/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.caso.wire.LayoutNameNodes;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.wire.SessionClient;
import io.hdfsparity.izs.wire.LevelClient;
import java.net.ConnectException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode whose features cannot all start. */
@Timeout(300)
class FeaturesFailClosedTest {
  private static final int TIMEOUT_MS = 30_000;
  private static final String METRICS = "ParityFeatures";

  @Test
  void oneThatCannotStartHoldsItsFilesAndTakesNoOtherDown(@TempDir Path root) throws Exception {
    Configuration conf = MiniLevels.conf();
    conf.set(SuiteKey.FEATURES.key(), "izs,ecupdate,caso");
    conf.set(SessionKey.LEASE.key(), "soon");
    try (MiniLevels levels = MiniLevels.start(conf, root, MiniLevels.K + 3)) {
      assertThat(Metrics.value(METRICS, "EcupdateFailedClosed")).isEqualTo(1);
      assertThat(Metrics.value(METRICS, "IzsInService")).isEqualTo(1);
      assertThat(Metrics.value(METRICS, "CasoInService")).isEqualTo(1);
      DistributedFileSystem fs = levels.cluster().getFileSystem();
      MiniLevels.makeFile(fs, MiniLevels.bytes(MiniLevels.GROUP_BYTES, 1), 1);
      assertThat(levels.setLevel(0, 2, "/rs/f").refusal())
          .as("sessions of another NameNode may be open")
          .hasValueSatisfying(why -> assertThat(why.kind()).isEqualTo("update-sessions-down"));
      try (SessionClient client = new SessionClient(levels.address(0), conf, TIMEOUT_MS)) {
        assertThatThrownBy(client::isGuarded).isInstanceOf(ConnectException.class);
      }
      new LayoutNameNodes(conf, fs.getUri()).requireGuarded();
    }
  }

  @Test
  void anUnknownNameFailsAllAndWhatProtectsFilesIsThere(@TempDir Path root) throws Exception {
    Configuration conf = MiniLevels.conf();
    conf.set(SuiteKey.FEATURES.key(), "izs,ecupdate,cas");
    try (MiniLevels levels = MiniLevels.start(conf, root, MiniLevels.K + 3)) {
      for (String part : new String[] {"Izs", "Ecupdate", "Caso"}) {
        assertThat(Metrics.value(METRICS, part + "FailedClosed")).as(part).isEqualTo(1);
        assertThat(Metrics.value(METRICS, part + "InService")).as(part).isZero();
      }
      try (LevelClient client = levels.client(0)) {
        assertThatThrownBy(client::status).isInstanceOf(ConnectException.class);
      }
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/f");
      DistributedFileSystem fs = levels.cluster().getFileSystem();
      fs.create(file).close();
      fs.setOwner(file, "mallory", "people");
      UserGroupInformation.createUserForTesting("mallory", new String[] {"people"})
          .doAs(
              (PrivilegedExceptionAction<Void>)
                  () -> {
                    FileSystem own = FileSystem.newInstance(fs.getUri(), conf);
                    own.setXAttr(file, "user.any", new byte[] {1});
                    assertThatThrownBy(
                            () -> own.setXAttr(file, "user.parity.caso.layout", new byte[] {1}))
                        .as("the guard is there")
                        .hasMessageContaining("expected a superuser");
                    own.close();
                    return null;
                  });
    }
  }
}
