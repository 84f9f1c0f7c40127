/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ConfigDocsTest {
  private static final String HOW =
      "out of date: run io.hdfsparity.raidp.config.ConfigDocs with the project's root";

  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("hdfs-raidp")) ? here : here.getParent();
  }

  @Test
  void theDefaultsFileIsUpToDate() throws IOException {
    assertThat(root().resolve("conf/raidp-default.xml")).as(HOW).hasContent(ConfigDocs.xml());
  }

  @Test
  void theReferenceIsUpToDate() throws IOException {
    assertThat(root().resolve("docs/raidp-configuration.md"))
        .as(HOW)
        .hasContent(ConfigDocs.markdown());
  }

  @Test
  void hadoopReadsTheDefaultsFile() {
    Configuration conf = new Configuration(false);
    conf.addResource(
        new org.apache.hadoop.fs.Path(root().resolve("conf/raidp-default.xml").toUri()));
    for (ConfigKey key : RaidpKeys.all()) {
      assertThat(conf.get(key.name(), "")).as(key.name()).isEqualTo(key.defaultValue());
    }
  }

  @Test
  void everyKeyHasThePrefixAMeaningAndAReader() {
    assertThat(RaidpKeys.all())
        .allSatisfy(
            key -> {
              assertThat(key.name()).startsWith(RaidpKeys.PREFIX);
              assertThat(key.meaning()).endsWith(".");
              assertThat(key.readers()).isNotEmpty();
            })
        .extracting(ConfigKey::name)
        .doesNotHaveDuplicates();
  }
}
