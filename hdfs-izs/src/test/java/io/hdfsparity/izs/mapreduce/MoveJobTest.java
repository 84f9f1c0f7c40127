/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.junit.jupiter.api.Test;

/** Where a job is refused. */
class MoveJobTest {
  @Test
  void kerberosIsRefusedByName() {
    assertThat(MoveJob.obstacle(AuthMethod.KERBEROS).orElseThrow())
        .contains("security=kerberos, expected simple")
        .contains("without -mapreduce");
    assertThat(MoveJob.obstacle(AuthMethod.SIMPLE)).isEmpty();
    assertThat(MoveJob.isPossible()).isTrue();
  }
}
