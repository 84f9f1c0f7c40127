/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.caso.fs.FileRewrite;
import io.hdfsparity.caso.fs.OrderedFiles;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.layout.FileOrder;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.placement.ParityForecast;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** {@code hdfs caso -rewrite}: rewrites a file in the order that it is in. */
final class RewriteCommand extends FileCommand {
  RewriteCommand(Console console, RewritePoints points) {
    super(console, points);
  }

  @Override
  public String name() {
    return "-rewrite";
  }

  @Override
  String purpose() {
    return """
    Writes an erasure coded file of the cluster anew, in stored order or not, as it is: by a copy
    that is compared and put in its place in one step. A file can be updated in place (hdfs ecupdate)
    only as long as HDFS has rebuilt and moved none of its units; written anew, it can be again.
    Parity of a file in stored order goes where the placement policy has it without a forecast.
    """;
  }

  @Override
  void replace(ClusterFile file, FileRewrite rewrite, ObjectNode doc) throws IOException {
    HdfsFileStatus status = file.status();
    Optional<LayoutIndex> index = OrderedFiles.indexOfBeginning(file.fs(), status, file.path());
    if (index.isEmpty()) {
      rewrite.restoreAnew(file.path());
      return;
    }
    rewrite.organize(
        file.path(),
        new FileRewrite.NewOrder(
            status.getFileId(),
            status.getLen() == index.get().lengthBytes()
                ? index.get().order()
                : FileOrder.grown(index.get(), status.getLen()),
            index.get().origin(),
            new ParityForecast(new long[0])));
  }

  @Override
  void text(JsonNode d, PrintStream out) {
    doneText("Rewritten", d, out);
  }
}
