/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.QuickstartException.require;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.AdminCommand;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * A change of the level of a tree of files in place, as an administrator makes it: by {@code izs
 * -setLevel … -R}, again while files are refused. Most reasons, as a node that comes back, end by
 * themselves. Used by one thread.
 */
final class LevelChange {
  private long files;
  private long groups;
  private long ms;

  /**
   * Runs the command once.
   *
   * @param errorLines told each line of its errors
   * @throws Poll.NotYet naming a file that was refused
   */
  void runOnce(AdminCommand admin, Consumer<String> errorLines, String command, int level)
      throws Poll.NotYet, QuickstartException, IOException {
    long begin = System.nanoTime();
    AdminCommand.Answer answer = admin.run(errorLines, command, level);
    ms += Texts.msSince(begin);
    JsonNode doc = answer.requireJson();
    require(!doc.has("failure"), "izs -setLevel failed: %s", doc.path("failure").asText());
    files += doc.path("changed").asLong();
    groups += doc.path("changedGroups").asLong();
    long refused = doc.path("refused").asLong();
    Poll.NotYet.unless(
        refused == 0 && answer.exitCode() == 0,
        "%s files keep their level: %s",
        refused,
        doc.at("/refusals/0/examples/0").asText());
  }

  /** How many files were changed. */
  long files() {
    return files;
  }

  /** Their block groups. */
  long groups() {
    return groups;
  }

  /** How long all commands took together. */
  long ms() {
    return ms;
  }
}
