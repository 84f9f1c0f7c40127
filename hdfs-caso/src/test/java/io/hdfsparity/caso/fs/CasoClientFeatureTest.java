/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.client.ClientFeature;
import io.hdfsparity.bridge.client.ClientFeatures;
import io.hdfsparity.bridge.guard.CallerAbilities;
import java.io.IOException;
import java.net.URI;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.junit.jupiter.api.Test;

class CasoClientFeatureTest {
  @Test
  void isFoundByServiceLoaderAndKnowsOrders() throws IOException {
    assertThat(ServiceLoader.load(ClientFeature.class))
        .hasExactlyElementsOfTypes(CasoClientFeature.class);
    ClientFeatures features = ClientFeatures.installed();
    assertThat(features.abilities()).containsExactly(CallerAbilities.ORDERS);
    // Nothing listens there, and nobody asks.
    URI nameNode = URI.create("hdfs://127.0.0.1:1");
    try (DFSClient client = new DFSClient(nameNode, new Configuration())) {
      assertThat(features.orderedFiles(client)).isPresent();
    }
  }
}
