/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.izs.availability.LossChain;
import io.hdfsparity.izs.availability.RedundancySet;
import io.hdfsparity.izs.availability.StorageModel;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** {@code hdfs izs -mttdl}: the paper's Tables 4 and 5 for any figures. Touches no cluster. */
final class MttdlCommand extends ConsoleCommand {
  MttdlCommand(Console console) {
    super(
        console,
        "-mttdl",
        "[-mttf HOURS | -diskMttf HOURS] [-mttr HOURS | -nodeSize SIZE -bandwidth SIZE_PER_HOUR]"
            + " [-total SIZE | -k K] [-r R | -n N -tolerated T] [-repair concurrent|serial|parallel]"
            + " [-sets G] [-json]",
        """
    Mean time to data loss of RS or IZS codes by Markov chain, and the approximation of the MFTS
    paper (equations 4 to 6). Without options: the paper's Tables 4 and 5. Touches no cluster.
    -mttf HOURS       mean time to failure of a node (20000)
    -diskMttf HOURS   of a disk instead; a node's is a fifth of it, as in the paper
    -mttr HOURS       mean time to repair a node (nodeSize / bandwidth = 5)
    -nodeSize SIZE    data of a node (1TB); TB and GB are powers of 1000, T and G of 1024
    -bandwidth SIZE   what the rebuild of a node achieves, an hour (200GB)
    -total SIZE       data of the redundancy set (4TB); k = total / nodeSize
    -k K              data nodes, instead of -total
    -r R              most parity nodes shown (3)
    -n N -tolerated T one set of N nodes that survives any T failures, as 3 and 2 for three replicas
    -repair WORD      concurrent: a repair brings all failed nodes back, as in the paper (default);
                      serial: one after the other; parallel: each by itself
    -sets G           redundancy sets in the cluster that fail independently (1)
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            args,
            Set.of(Console.JSON),
            Set.of(
                "-mttf",
                "-diskMttf",
                "-mttr",
                "-nodeSize",
                "-bandwidth",
                "-total",
                "-k",
                "-r",
                "-n",
                "-tolerated",
                "-repair",
                "-sets"));
    try {
      console.print(document(MttdlArguments.of(a)), a, MttdlCommand::text);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    return 0;
  }

  private static ObjectNode document(MttdlArguments m) {
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    ObjectNode p = doc.putObject("parameters");
    if (m.model().isPresent()) {
      StorageModel model = m.model().get();
      p.put("totalBytes", model.totalBytes());
      p.put("nodeBytes", model.nodeBytes());
      p.put("rebuildBytesPerHour", model.rebuildBytesPerHour());
    }
    p.put("mttfHours", m.rates().mttfHours());
    p.put("mttrHours", m.rates().mttrHours());
    p.put("failuresPerHour", m.rates().failuresPerHour());
    p.put("repairsPerHour", m.rates().repairsPerHour());
    p.put("repair", m.repair().name().toLowerCase(Locale.ROOT));
    p.put("sets", m.sets());
    for (MttdlArguments.Row row : m.rows()) {
      RedundancySet set = row.set();
      double chain = LossChain.mttdlHours(set, m.rates(), m.repair()) / m.sets();
      double formula = LossChain.approximateHours(set, m.rates()) / m.sets();
      doc.withArray("schemes")
          .addObject()
          .put("scheme", row.name())
          .put("nodes", set.nodes())
          .put("tolerated", set.tolerated())
          .put("mttdlHours", chain)
          .put("mttdlYears", chain / StorageModel.HOURS_PER_YEAR)
          .put("formulaHours", formula)
          .put("formulaYears", formula / StorageModel.HOURS_PER_YEAR)
          .put("utilization", set.utilization());
    }
    return doc;
  }

  private static void text(JsonNode d, PrintStream out) {
    JsonNode p = d.path("parameters");
    if (p.has("totalBytes")) {
      line(out, "Z, data in the set", decimal(p.path("totalBytes").asLong(), ""));
      line(out, "gamma, rebuild of a node", decimal(p.path("rebuildBytesPerHour").asLong(), "/h"));
      line(out, "S, data of a node", decimal(p.path("nodeBytes").asLong(), ""));
    }
    line(out, "MTTF of a node", number(p, "mttfHours") + " h");
    line(out, "MTTR of a node", number(p, "mttrHours") + " h");
    line(out, "lambda, failure rate of a node", number(p, "failuresPerHour") + " /h");
    line(out, "mu, repair rate of a node", number(p, "repairsPerHour") + " /h");
    line(out, "repair", p.path("repair").asText());
    if (p.path("sets").asInt() > 1) {
      line(out, "redundancy sets", p.path("sets").asText());
    }
    out.println();
    out.printf(
        "%-14s %10s %14s %14s %14s %14s %12s%n",
        "Scheme", "Tolerates", "MTTDL (h)", "(years)", "Formula (h)", "(years)", "Utilization");
    for (JsonNode s : d.path("schemes")) {
      out.printf(
          Locale.ROOT,
          "%-14s %10d %14s %14s %14s %14s %11.1f%%%n",
          s.path("scheme").asText(),
          s.path("tolerated").asInt(),
          number(s, "mttdlHours"),
          number(s, "mttdlYears"),
          number(s, "formulaHours"),
          number(s, "formulaYears"),
          100 * s.path("utilization").asDouble());
    }
  }

  private static void line(PrintStream out, String name, String value) {
    out.printf("%-32s %s%n", name, value);
  }

  /** Four significant digits; powers of ten from a hundred thousand on. */
  private static String number(JsonNode in, String field) {
    double value = in.path(field).asDouble();
    if (value != 0 && (value < 1e-3 || value >= 1e5)) {
      return String.format(Locale.ROOT, "%.3e", value);
    }
    return String.format(Locale.ROOT, value >= 1000 ? "%.0f" : "%.4g", value);
  }

  /** Bytes in the decimal units of the paper. */
  private static String decimal(long bytes, String suffix) {
    return bytes % 1_000_000_000 == 0 && bytes >= 1_000_000_000
        ? String.format(Locale.ROOT, "%,d GB%s", bytes / 1_000_000_000, suffix)
        : bytes + " B" + suffix;
  }
}
