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
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** {@code hdfs ecupdate -recover}: completes or undoes what crashed clients have left. */
final class RecoverCommand extends ConsoleCommand {
  private static final String PAUSE = "-pause";
  private static final long PAUSE_MS = 500;

  private final UpdaterOpener opener;

  RecoverCommand(Console console, UpdaterOpener opener) {
    super(
        console,
        "-recover",
        "<path> [-pause TIME] [-json]",
        """
    Looks through all stripes of a file for writes that a crashed client has left unfinished, and for
    units whose bytes were lost, and has the stripes recovered. Others may write meanwhile. Stripes
    that are well stay as they are. Then the DataNodes forget sessions that ended without closing
    the file, so that HDFS decodes and rebuilds it again some minutes later. Ends with exit code 0
    when every stripe was well in five looks in a row, and all units of each block group took part.
    -pause TIME   between two looks (500ms): at least as long as a write of a client that lives may
                  take: one that is seen in more than three looks is taken for unfinished
    """);
    this.opener = opener;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(Console.JSON), Set.of(PAUSE), List.of("path"));
    long pauseMs = Values.millis(a, PAUSE, PAUSE_MS);
    if (pauseMs == 0) {
      throw new UsageException(PAUSE + "=" + a.value(PAUSE).orElse("") + ", expected above 0");
    }
    ObjectNode doc = JsonNodeFactory.instance.objectNode().put("path", a.operand(0));
    try (StripedFileUpdater file =
            opener.openReadOnly(
                console.conf(), Values.remote(a.operand(0)), UpdaterOptions.standard());
        Progress progress = new Progress(console.err())) {
      StripedFileUpdater.Settled settled =
          file.settle(pauseMs, bytes -> progress.count("recovering", bytes, "bytes"));
      doc.put("bytes", file.lengthBytes());
      doc.put("sessionsSettled", settled.settled().size());
      doc.put("groupsInUse", settled.left().size());
      doc.put("elapsedMs", progress.elapsedMs());
    }
    console.print(
        doc,
        a,
        (d, out) -> {
          out.printf(
              Locale.ROOT,
              "All stripes of %s are well: %,d bytes%n",
              d.path("path").asText(),
              d.path("bytes").asLong());
          if (d.path("sessionsSettled").asInt() > 0) {
            out.printf(
                Locale.ROOT,
                "%,d sessions had ended without closing the file, and are settled%n",
                d.path("sessionsSettled").asInt());
          }
          if (d.path("groupsInUse").asInt() > 0) {
            out.printf(
                Locale.ROOT,
                "%,d block groups are in use by others: HDFS does not decode or rebuild them%n",
                d.path("groupsInUse").asInt());
          }
        });
    return 0;
  }
}
