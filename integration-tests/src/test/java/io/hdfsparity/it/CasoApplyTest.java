/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.izs.namenode.LevelManager;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file in stored order (hdfs-caso) that should have another form (hdfs izs -apply). */
@Tag("full")
@Timeout(1200)
class CasoApplyTest {
  private static final String FILE = "/ordered/f";

  @Test
  void aFileInStoredOrderKeepsItsFormUntilItIsRestored(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(/* loadDefaults= */ false);
    MiniApply.configure(extra, root, "RS", LevelManager.class);
    Map<String, String> more = new HashMap<>();
    extra.forEach(each -> more.put(each.getKey(), each.getValue()));
    more.put(SuiteKey.FEATURES.key(), "caso,izs");
    more.put(
        DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
        GuardedEcPlacementPolicy.class.getName());
    try (MiniCaso caso = MiniCaso.start(root, more)) {
      Configuration client = new Configuration(caso.clientConf());
      client.set("fs.hdfs.impl", ParityFileSystem.class.getName());
      MiniApply apply = MiniApply.on(caso.cluster(), client);
      MiniLevels.addPolicies(caso.stock(), "rs");
      final byte[] bytes = caso.make(FILE, 1);
      caso.organize(FILE);
      for (String form : new String[] {"code", "copies"}) {
        apply.want("/ordered", form);
        MiniApply.Run run = apply.apply("/ordered");
        assertThat(run.refusals("stored-order"))
            .as("%s: %s %s", form, run.doc(), run.err())
            .isEqualTo(1);
        assertThat(run.doc().toString()).contains("hdfs caso -restore");
        assertThat(apply.form(FILE)).isEqualTo("ec " + MiniCaso.POLICY);
        assertThat(caso.read(FILE)).isEqualTo(bytes);
      }
      caso.run("-restore", FILE);
      apply.want("/ordered", "code");
      MiniApply.Run run = apply.apply("/ordered");
      assertThat(run.changed("REWRITE")).as("%s %s", run.doc(), run.err()).isEqualTo(1);
      assertThat(apply.form(FILE)).isEqualTo("ec RS-4-1-16k");
      assertThat(caso.read(FILE)).isEqualTo(bytes);
      apply.assertBytes(FILE, bytes);
    }
  }
}
