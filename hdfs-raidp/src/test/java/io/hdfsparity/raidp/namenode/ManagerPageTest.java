/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.admin.RaidpAdmin;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ManagerPageTest {
  private static final Pattern COMMAND = Pattern.compile("hdfs raidp((?: -[a-zA-Z]+)+)");

  private static String page(SimCluster sim) {
    return ManagerPage.of(sim.manager, List.of()).toString();
  }

  private static String usageOf(String command) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(out, true);
    int code = new RaidpAdmin(new Configuration(), to, to).run(new String[] {"-help", command});
    assertThat(code).as("hdfs raidp -help %s", command).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void eachCommandOnThePageIsOne() throws Exception {
    List<String> pages = new ArrayList<>();
    SimCluster sim = new SimCluster(new Random(1), 4, 2, 1, 4);
    pages.add(page(sim));
    sim.steps(2);
    pages.add(page(sim));
    assertThat(pages.get(1)).contains("The disks are not laid out yet");
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
    sim.disks().get(0).failed = true;
    sim.disks().get(1).failed = true;
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    sim.steps(5);
    pages.add(page(sim));
    // So many that the page sums them up.
    SimCluster wide = new SimCluster(new Random(1), 40, 4, 60, 1);
    wide.step();
    pages.add(page(wide));
    int found = 0;
    for (String page : pages) {
      for (Matcher command = COMMAND.matcher(page); command.find(); found++) {
        List<String> words = Arrays.asList(command.group(1).trim().split(" "));
        String usage = usageOf(words.get(0).substring(1));
        words.forEach(word -> assertThat(usage).as(command.group()).contains(word));
      }
    }
    assertThat(found).isPositive();
  }
}
