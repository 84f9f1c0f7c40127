/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.bridge.doctor.ClusterFacts;
import io.hdfsparity.core.cli.Arguments;
import java.util.List;
import java.util.Set;

/** {@code hdfs parity status}: one screen about all daemons and features. */
final class StatusCommand extends ConsoleCommand {
  StatusCommand(Console console) {
    super(
        console,
        "status",
        "[-json] " + ClusterInquiry.DATANODES_USAGE,
        """
        Shows NameNodes, DataNodes, and how each feature is in them.
        """
            + ClusterInquiry.DATANODES_HELP
            + """
        Exit code 1 when a daemon does not answer, no NameNode is active, or a feature has failed.
        """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(Console.JSON), Set.of(ClusterInquiry.DATANODES));
    ClusterFacts facts = new ClusterInquiry(console).ask(a.value(ClusterInquiry.DATANODES));
    ObjectNode doc = StatusDocument.of(facts);
    console.print(doc, a, StatusText::print);
    return doc.get("healthy").booleanValue() ? 0 : ParityAdmin.PROBLEMS;
  }
}
