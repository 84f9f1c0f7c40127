/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.it.ForeignCoders.Kind;
import io.hdfsparity.it.RepairCluster.Group;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.namenode.LevelManager;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file in which verification suspects a data unit is not replaced by a copy of its data: the copy
 * would have parity that fits wrong bytes, and the parity that tells the right ones would be
 * deleted.
 */
@Tag("full")
class ContradictorySwapTest {
  private static final int LENGTH =
      3 * VerifyingCluster.DATA_UNITS * VerifyingCluster.CELL_BYTES - 999;

  private static VerifyingCluster verifying;
  private static RepairCluster cluster;
  private static Configuration client;

  @BeforeAll
  static void start(@TempDir Path root) throws IOException {
    Configuration keys = new Configuration(/* loadDefaults= */ false);
    MiniApply.configure(keys, root, "IZS", LevelManager.class);
    Map<String, String> more = new HashMap<>();
    keys.forEach(each -> more.put(each.getKey(), each.getValue()));
    more.put(SuiteKey.FEATURES.key(), "izs,caso");
    verifying = VerifyingCluster.start(root.resolve("dfs"), 7, more);
    cluster = verifying.repair();
    client = new Configuration(cluster.cluster().getConfiguration(0));
  }

  @AfterAll
  static void stop() throws IOException {
    verifying.close();
  }

  private record Ran(int exit, String printed) {}

  private static Ran rewrite(org.apache.hadoop.fs.Path file) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    int exit =
        new CasoAdmin(client, print, print).run(new String[] {"-rewrite", file.toUri().getPath()});
    return new Ran(exit, out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void noCopyTakesThePlaceOfAFileWhoseDataIsSuspected() throws Exception {
    VerifyStatus before = verifying.status();
    org.apache.hadoop.fs.Path directory = verifying.directory("izs", 2);
    Group sound = cluster.write(directory, "sound", LENGTH);
    VerifyStatus verified = verifying.awaitVerified(before, 1);
    org.apache.hadoop.fs.Path suspected = new org.apache.hadoop.fs.Path(directory, "suspected");
    verifying.writeForeign(Kind.OTHER_DATA, suspected, sound.content());
    await("data is suspected")
        .untilAsserted(
            () ->
                assertThat(verifying.status().results().suspectedData())
                    .isEqualTo(verified.results().suspectedData() + 1));
    Group group = cluster.new Group(suspected, sound.content());

    assertThat(rewrite(sound.file()).exit()).as("a file that is sound").isZero();
    Ran refused = rewrite(suspected);
    assertThat(refused.printed())
        .contains("Cannot replace a file by a copy of it: parityFits=false", "hdfs izs -verify");
    assertThat(refused.exit()).isEqualTo(-1);

    MiniApply apply = MiniApply.on(cluster.cluster(), client);
    String path = directory.toUri().getPath();
    apply.want(path, "copies");
    MiniApply.Run run = apply.apply(path);
    assertThat(run.changed("REWRITE")).as("%s %s", run.doc(), run.err()).isEqualTo(1);
    assertThat(run.refusals("contradiction")).as("%s %s", run.doc(), run.err()).isEqualTo(1);
    assertThat(apply.form(path + "/sound")).isEqualTo("replication 2");
    assertThat(apply.form(path + "/suspected")).startsWith("ec IZS-4-2-");
    group.assertAsWritten();
  }
}
