/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.client.ClientFeature;
import io.hdfsparity.bridge.client.ClientFeatures;
import java.io.IOException;
import java.util.ServiceLoader;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Test;

class IzsClientFeatureTest {
  private static ErasureCodingPolicy policy(String codec, int dataUnits) {
    return new ErasureCodingPolicy(new ECSchema(codec, dataUnits, 2), 4096);
  }

  @Test
  void isFoundByServiceLoader() throws IOException {
    assertThat(ServiceLoader.load(ClientFeature.class))
        .hasExactlyElementsOfTypes(IzsClientFeature.class);
    assertThat(ClientFeatures.installed()).hasToString("[izs]");
  }

  @Test
  void readsFilesOfItsCodecOnly() throws IOException {
    ClientFeature feature = new IzsClientFeature();
    assertThat(feature.readerFor(policy("izs", 4))).isPresent();
    assertThat(feature.readerFor(policy("izs", 4))).isEqualTo(feature.readerFor(policy("izs", 4)));
    assertThat(feature.readerFor(policy("rs", 4))).isEmpty();
    assertThatThrownBy(() -> feature.readerFor(policy("izs", 5)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot read a file of codec izs");
  }
}
