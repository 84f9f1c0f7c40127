/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.izs.config.LevelOptions;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.level.LevelRules;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * {@code hdfs izs -setLevel}. Files are listed here and changed in the NameNode a batch at a time;
 * what is changed stays so when the command is interrupted, and the next run passes over it.
 */
final class SetLevelCommand extends ConsoleCommand {
  SetLevelCommand(Console console) {
    super(
        console,
        "-setLevel",
        "<1|2|3> <path> [-R] [-json]",
        """
    Changes the number of parity units of erasure-coded files (codecs izs and rs) in place: data
    stays where it is; parity units are added or dropped. Files keep their level, with a reason and
    a remedy, when they are open, in a snapshot, damaged, or not whole; run the command again for
    these. Owner of the files or HDFS superuser.
    -R     all files below a directory; files without erasure coding are passed over
    Exit code 0 when every file has the level now, else -1.
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            args, Set.of(LevelFiles.RECURSIVE, Console.JSON), Set.of(), List.of("level", "path"));
    int level = level(a.operand(0));
    LevelFiles files = LevelFiles.of(console.conf(), a.operand(1), a);
    LevelManagers managers = LevelManagers.of(console.conf(), files.fileSystem());
    Run run = new Run(level, managers, LevelOptions.of(console.conf()).batchFiles());
    IOException failure = null;
    try {
      files.forEach(
          (path, policy) -> {
            if (policy == null && a.has(LevelFiles.RECURSIVE)) {
              run.summary.passOver();
            } else {
              run.add(path);
            }
          });
      run.flush();
    } catch (IOException e) {
      failure = e;
    }
    ObjectNode doc = run.summary.document(level, a.operand(1));
    doc.put("policyOfNewFiles", files.policyOfNewFiles());
    if (failure != null) {
      doc.put("failure", CommandLine.firstLine(failure.getMessage()));
    }
    console.print(doc, a, SetLevelCommand::text);
    if (failure != null) {
      throw failure;
    }
    return run.summary.refused() == 0 ? 0 : CommandLine.FAILED;
  }

  static int level(String text) throws UsageException {
    int level;
    try {
      level = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      level = 0;
    }
    if (level < LevelRules.LOWEST || level > LevelRules.HIGHEST) {
      throw new UsageException("level " + text + ", expected 1, 2 or 3");
    }
    return level;
  }

  /** Paths that are gathered into calls. */
  private final class Run {
    private static final long PROGRESS_MS = 5_000;

    private final int level;
    private final LevelManagers managers;
    private final int batchFiles;
    private final LevelSummary summary = new LevelSummary();
    private final List<String> batch = new ArrayList<>();
    private long shownMs = System.currentTimeMillis();

    Run(int level, LevelManagers managers, int batchFiles) {
      this.level = level;
      this.managers = managers;
      this.batchFiles = batchFiles;
    }

    void add(String path) throws IOException {
      batch.add(path);
      if (batch.size() == batchFiles) {
        flush();
      }
    }

    void flush() throws IOException {
      while (!batch.isEmpty()) {
        List<String> paths = List.copyOf(batch);
        List<FileOutcome> outcomes = managers.setLevel(level, paths);
        outcomes.forEach(summary::add);
        batch.subList(0, outcomes.size()).clear();
        if (System.currentTimeMillis() - shownMs > PROGRESS_MS) {
          shownMs = System.currentTimeMillis();
          console.err().println(summary.line());
        }
      }
    }
  }

  private static void text(JsonNode doc, PrintStream out) {
    out.printf(
        "level %d: %d changed, %d unchanged, %d refused, %d replicated%n",
        doc.get("level").intValue(),
        doc.get("changed").longValue(),
        doc.get("unchanged").longValue(),
        doc.get("refused").longValue(),
        doc.get("replicated").longValue());
    for (JsonNode kind : doc.get("refusals")) {
      out.printf("refused %s: %d%n", kind.get("kind").textValue(), kind.get("files").longValue());
      kind.get("examples").forEach(each -> out.println("  " + each.textValue()));
      out.println("  remedy: " + kind.get("remedy").textValue());
    }
    String policy = doc.get("policyOfNewFiles").textValue();
    if (!policy.isEmpty()) {
      out.println("New files below " + doc.get("path").textValue() + " get policy " + policy);
    }
    if (doc.get("changed").longValue() > 0) {
      out.println("hdfs izs -status -progress shows when all units are there.");
    }
  }
}
