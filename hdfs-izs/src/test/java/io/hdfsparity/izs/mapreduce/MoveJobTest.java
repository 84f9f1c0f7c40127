/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a job is refused. */
class MoveJobTest {
  @AfterEach
  void forget() {
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  /** Before anything is made in the file system. */
  @Test
  void kerberosIsRefusedByName() {
    assertThat(MoveJob.isPossible()).isTrue();
    Configuration conf = new Configuration();
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.security.auth_to_local", "DEFAULT");
    UserGroupInformation.setConfiguration(conf);
    assertThat(MoveJob.isPossible()).isFalse();
    assertThatThrownBy(() -> new MoveJob(conf, null, null, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("security=kerberos, expected simple")
        .hasMessageContaining("without -mapreduce");
  }
}
