/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Where updates are served, and where they are not. */
class ServingOptionsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void theAddressIsRead() {
    assertThat(ServingOptions.of(conf).address().getPort()).isEqualTo(9883);
    conf.set(ServingOptions.ADDRESS_KEY, "127.0.0.1:0");
    assertThat(ServingOptions.of(conf).address().getPort()).isZero();
    conf.set(ServingOptions.ADDRESS_KEY, "nowhere");
    assertThatThrownBy(() -> ServingOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(ServingOptions.ADDRESS_KEY + "=nowhere");
  }

  @Test
  void protectedTransferIsNotFollowedInClear() {
    conf.set("dfs.data.transfer.protection", "authentication");
    ServingOptions.of(conf);
    conf.set("dfs.data.transfer.protection", "privacy");
    assertThatThrownBy(() -> ServingOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dfs.data.transfer.protection=privacy");
    conf.unset("dfs.data.transfer.protection");
    conf.setBoolean("dfs.encrypt.data.transfer", true);
    assertThatThrownBy(() -> ServingOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dfs.encrypt.data.transfer=true");
  }

  @Test
  void thePageListsTheKey() throws Exception {
    assertThat(Files.readString(Path.of("../docs/ec-update-datanode.md")))
        .contains(
            "| `" + ServingOptions.ADDRESS_KEY + "` | `" + ServingOptions.ADDRESS_DEFAULT + "` |");
  }
}
