/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceOptionsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void nothingIsTracedUnlessAsked() {
    TraceOptions options = TraceOptions.of(conf);
    assertThat(options.directory()).isEmpty();
    assertThat(options.fileBytes()).isEqualTo(16 << 20);
    assertThat(options.totalBytes()).isEqualTo(256 << 20);
    conf.set(TraceKey.DIRECTORY.key(), " /var/log/updates ");
    assertThat(TraceOptions.of(conf).directory()).contains(Path.of("/var/log/updates"));
  }

  @ParameterizedTest
  @CsvSource({
    "dir, updates",
    "file.size, 1023",
    "file.size, much",
    "total.size, 16M",
    "directory, /tmp",
  })
  void whatCannotBeUsedIsRefusedByName(String suffix, String value) {
    conf.set(TraceKey.PREFIX + suffix, value);
    assertThatThrownBy(() -> TraceOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(TraceKey.PREFIX + suffix + "=" + value + ", expected ");
  }
}
