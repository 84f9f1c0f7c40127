/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.util.List;
import java.util.Set;

/** {@code hdfs ecupdate -merge}: brings logged changes into block files. */
final class MergeCommand extends ConsoleCommand {
  MergeCommand(Console console) {
    super(
        console,
        "-merge",
        "<path> [-json]",
        """
    Brings changes that lie in logs and reserved space into the block files, of a file or of all
    erasure-coded files below a directory. DataNodes do that by themselves when room is short; after
    it, reads need no merging. What a reader still sees as it was before is kept back. Superuser.
    Exit code -1 when it failed for a replica.
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(Console.JSON), Set.of(), List.of("path"));
    HdfsFiles files = HdfsFiles.of(console.conf(), a.operand(0));
    ControlNodes nodes =
        ControlNodes.of(console.conf(), SessionManagers.of(console.conf(), files.fileSystem()));
    ReplicaWork work = new ReplicaWork(nodes, (node, blockIds) -> node.merge(blockIds));
    try (Progress progress = new Progress(console.err())) {
      files.forEach(file -> work.add(files, file, progress));
      work.flush();
    }
    ObjectNode doc = JsonNodeFactory.instance.objectNode().put("path", a.operand(0));
    work.describe(doc);
    console.print(doc, a, (d, out) -> ReplicaWork.print(d, "merged", out));
    return work.hasFailed() ? CommandLine.FAILED : 0;
  }
}
