/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.web.resources.NamenodeWebHdfsMethods;
import org.apache.hadoop.http.HttpServer2;
import org.junit.jupiter.api.Test;

/** That it guards is tested with a cluster, by ClientGuardTest. */
class GuardedWebHdfsTest {
  @Test
  void aServerWhoseWebHdfsIsNotFoundIsNotTakenForGuarded() throws Exception {
    HttpServer2 server =
        new HttpServer2.Builder()
            .setName("hdfs")
            .setConf(new Configuration(/* loadDefaults= */ false))
            .addEndpoint(URI.create("http://localhost:0"))
            .build();
    ClientProtocol any = new ForwardingClientProtocol(/* next= */ null) {};
    assertThatThrownBy(() -> GuardedWebHdfs.install(server, any))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Cannot guard WebHDFS: servlet=none, expected ")
        .hasMessageContaining("at /webhdfs/v1/*");
  }

  /**
   * Of all that Hadoop's WebHDFS does, only the choice of a DataNode and tokens go past the method
   * that is overridden. This finds another way by its method's name, if it is one of the class.
   */
  @Test
  void hadoopsWebHdfsHasTheWaysToTheNameNodeThatWereRead() {
    assertThat(
            Arrays.stream(NamenodeWebHdfsMethods.class.getDeclaredMethods())
                .filter(each -> !each.isSynthetic())
                .filter(
                    each ->
                        each.getName().toLowerCase(Locale.ROOT).contains("rpc")
                            || Arrays.asList(each.getParameterTypes()).contains(NameNode.class))
                .map(Method::getName))
        .containsExactlyInAnyOrder(
            "getRPCServer", "getRpcClientProtocol", "chooseDatanode", "redirectURI");
  }
}
