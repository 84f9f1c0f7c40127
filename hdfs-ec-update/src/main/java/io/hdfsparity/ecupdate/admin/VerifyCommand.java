/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.ecupdate.updater.StripeFinding;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** {@code hdfs ecupdate -verify}: recomputes the parity of a file, and compares. */
final class VerifyCommand extends ConsoleCommand {
  private static final String WAIT = "-wait";
  private static final String LIST = "-list";
  private static final long WAIT_MS = 5_000;
  private static final long LISTED = 100;

  private final UpdaterOpener opener;

  VerifyCommand(Console console, UpdaterOpener opener) {
    super(
        console,
        "-verify",
        "<path> [-wait TIME] [-list N] [-json]",
        """
    Reads all units of all stripes of a file from their DataNodes, changes that are only in their
    logs included, computes the parity of the data, and compares. Changes no byte, but admits all
    its block groups to updates, as -write does; others may write meanwhile. Findings:
      mismatch      parity is not the code of the data, and nobody was writing; says which unit is
                    wrong where that can be told
      unfinished    the same because a write has not come to all parity: -recover completes it
      unreadable    a unit did not answer, or must be recovered
      busy          the stripe was written all the while
    -wait TIME    for a stripe that is written, or a DataNode that is away (5s)
    -list N       how many findings are printed; all are counted (100)
    Exit code 0 when every stripe was found right, else -1.
    """);
    this.opener = opener;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(Console.JSON), Set.of(WAIT, LIST), List.of("path"));
    long waitMs = Values.millis(a, WAIT, WAIT_MS);
    long most = a.number(LIST, 0, Integer.MAX_VALUE, LISTED);
    ObjectNode doc = JsonNodeFactory.instance.objectNode().put("path", a.operand(0));
    Map<StripeFinding.Kind, Long> counts = new EnumMap<>(StripeFinding.Kind.class);
    ArrayNode findings = JsonNodeFactory.instance.arrayNode();
    try (StripedFileUpdater file =
            opener.openReadOnly(
                console.conf(), Values.remote(a.operand(0)), UpdaterOptions.standard());
        Progress progress = new Progress(console.err())) {
      long stripes =
          file.verify(
              waitMs,
              finding -> {
                counts.merge(finding.kind(), 1L, Long::sum);
                if (findings.size() < most) {
                  findings.add(document(finding));
                }
              },
              looked -> progress.count("verifying", looked, "stripes"));
      doc.put("stripes", stripes);
      doc.put("bytes", file.lengthBytes());
      doc.put("elapsedMs", progress.elapsedMs());
    }
    for (StripeFinding.Kind kind : StripeFinding.Kind.values()) {
      doc.put(word(kind), counts.getOrDefault(kind, 0L));
    }
    doc.put("right", counts.isEmpty());
    doc.set("findings", findings);
    console.print(doc, a, VerifyCommand::text);
    return counts.isEmpty() ? 0 : CommandLine.FAILED;
  }

  private static String word(StripeFinding.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static ObjectNode document(StripeFinding finding) {
    ObjectNode each =
        JsonNodeFactory.instance
            .objectNode()
            .put("kind", word(finding.kind()))
            .put("group", finding.group())
            .put("stripe", finding.stripe())
            .put("offset", finding.offsetBytes());
    ArrayNode units = each.putArray("units");
    finding.units().forEach(units::add);
    return each.put("detail", finding.detail());
  }

  private static void text(JsonNode doc, PrintStream out) {
    for (JsonNode each : doc.path("findings")) {
      out.printf(
          Locale.ROOT,
          "%s: group %d, stripe %d, file offset %,d, units %s: %s%n",
          each.path("kind").asText(),
          each.path("group").asLong(),
          each.path("stripe").asLong(),
          each.path("offset").asLong(),
          each.path("units"),
          each.path("detail").asText());
    }
    out.printf(
        Locale.ROOT,
        "%s: %,d stripes looked at, %,d mismatches, %,d unfinished, %,d unreadable, %,d busy%n",
        doc.path("path").asText(),
        doc.path("stripes").asLong(),
        doc.path("mismatch").asLong(),
        doc.path("unfinished").asLong(),
        doc.path("unreadable").asLong(),
        doc.path("busy").asLong());
  }
}
