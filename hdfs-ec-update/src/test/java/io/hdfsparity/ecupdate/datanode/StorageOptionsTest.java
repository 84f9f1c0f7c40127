/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.config.StorageKey;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorageOptionsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void defaultsFitTogetherAndTakeCellsOfAMebibyte() {
    StorageOptions options = StorageOptions.of(conf);
    assertThat(options.logBytes()).isEqualTo(256L << 20);
    assertThat(options.engine().log().maxRecordBytes()).isGreaterThan(2 * (1 << 20) + 4096);
    assertThat(options.engine().log().chunkBytes()).isEqualTo(512);
  }

  @Test
  void aChunkIsNoMoreThanAllOfReservedSpace() {
    conf.set(StorageKey.RESERVED_BYTES.key(), "128K");
    assertThat(StorageOptions.of(conf).engine().reserved().chunkBytes()).isEqualTo(128 << 10);
    conf.set(StorageKey.RESERVED_BYTES.key(), "1536K");
    assertThatThrownBy(() -> StorageOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a multiple of chunkBytes");
  }

  @ParameterizedTest
  @CsvSource({
    "log.bytes, 1M",
    "log.bytes, much",
    "record.max.bytes, 1",
    "drain.delay, 0ms",
    "reserved.alpha, x",
    "snapshot.max.age, 1ms",
    "log.size, 1G"
  })
  void aBadKeyIsNamed(String suffix, String value) {
    conf.set(StorageKey.PREFIX + suffix, value);
    assertThatThrownBy(() -> StorageOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(StorageKey.PREFIX + suffix + "=" + value);
  }
}
