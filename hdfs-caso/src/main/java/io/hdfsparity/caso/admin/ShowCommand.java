/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.caso.fs.IndexRepair;
import io.hdfsparity.caso.layout.LayoutFiles;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.layout.StoredOrder;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.LocalPaths;
import io.hdfsparity.core.cli.SizesAndDurations;
import io.hdfsparity.core.cli.UsageException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** {@code hdfs caso -show}: checks a saved organization and says what is in it. */
final class ShowCommand extends ConsoleCommand {
  ShowCommand(Console console) {
    super(
        console,
        "-show",
        "<file> [-at OFFSET] [-json]",
        """
    Reads an organization that -analyze saved, or the index of a file in stored order on the cluster
    (a path that is no local file, or with hdfs://), checks every byte of it, and says what is in it; for a file of
    the cluster also whether index and its copy are sound.
    -at OFFSET        also where the byte at this offset of the file is stored
    -json             one JSON document
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(Console.JSON), Set.of("-at"), List.of("the file"));
    String operand = a.operand(0);
    ObjectNode doc;
    LayoutIndex index;
    if (ClusterFile.isOne(operand, console.conf())) {
      ClusterFile file = ClusterFile.of(operand, console.conf());
      index = file.index("show an index");
      doc = document(operand, index);
      IndexRepair.Found found = file.repair().look(file.status(), file.path());
      doc.put("index", found.index().orElse("sound"));
      doc.put("copy", found.copy().orElse("sound"));
    } else {
      index = LayoutFiles.read(LocalPaths.parse(operand));
      doc = document(operand, index);
    }
    if (a.value("-at").isPresent()) {
      at(index, a.value("-at").get(), doc.putObject("at"));
    }
    console.print(doc, a, ShowCommand::text);
    return 0;
  }

  private static ObjectNode document(String file, LayoutIndex index) {
    StoredOrder order = index.order();
    long moved = 0;
    for (int run = 0; run < order.runCount(); run++) {
      moved += order.storedStart(run) == order.logicalStart(run) ? 0 : order.count(run);
    }
    long stripes = (order.storedCellCount() + index.dataCells() - 1) / index.dataCells();
    return JsonNodeFactory.instance
        .objectNode()
        .put("file", file)
        .put("owner", index.owner())
        .put("origin", index.origin())
        .put("k", index.dataCells())
        .put("m", index.parityCells())
        .put("cellBytes", index.cellSizeBytes())
        .put("lengthBytes", index.lengthBytes())
        .put("cells", order.cellCount())
        .put("movedCells", moved)
        .put("storedCells", order.storedCellCount())
        .put("paddingCells", order.storedCellCount() - order.cellCount())
        .put("stripes", stripes)
        .put("runs", order.runCount());
  }

  private static void at(LayoutIndex index, String text, ObjectNode to) throws UsageException {
    long offset;
    try {
      offset = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new UsageException("-at=" + text + ", expected an offset in bytes");
    }
    if (offset < 0 || offset >= index.lengthBytes()) {
      throw new UsageException("-at=" + text + ", expected 0 to below " + index.lengthBytes());
    }
    long cell = offset / index.cellSizeBytes();
    long stored = index.order().storedCell(cell);
    to.put("offset", offset)
        .put("cell", cell)
        .put("storedCell", stored)
        .put("storedOffset", stored * index.cellSizeBytes() + offset % index.cellSizeBytes())
        .put("stripe", stored / index.dataCells())
        .put("dataUnit", stored % index.dataCells());
  }

  private static void text(JsonNode d, PrintStream out) {
    line(out, "File", d.path("file").asText() + ", sound");
    if (d.has("copy")) {
      for (String part : new String[] {"index", "copy"}) {
        String is = d.path(part).asText();
        line(
            out,
            part.equals("index") ? "Index" : "Copy",
            is.equals("sound") ? is : "to be rebuilt, see -repair: " + is);
      }
    }
    line(
        out,
        "Belongs to",
        d.path("owner").asText().isEmpty() ? "no file yet" : d.path("owner").asText());
    line(out, "Origin", d.path("origin").asText());
    line(
        out,
        "Code",
        d.path("k").asText()
            + " data and "
            + d.path("m").asText()
            + " parity cells of "
            + SizesAndDurations.bytes(d.path("cellBytes").asLong()));
    line(out, "Length", String.format(Locale.ROOT, "%,d bytes", d.path("lengthBytes").asLong()));
    line(
        out,
        "Cells",
        String.format(
            Locale.ROOT,
            "%,d, of which %,d are stored elsewhere than in order of address",
            d.path("cells").asLong(),
            d.path("movedCells").asLong()));
    line(
        out,
        "Stored",
        String.format(
            Locale.ROOT,
            "%,d cells in %,d stripes, %,d of them padding",
            d.path("storedCells").asLong(),
            d.path("stripes").asLong(),
            d.path("paddingCells").asLong()));
    line(out, "Runs", String.format(Locale.ROOT, "%,d", d.path("runs").asLong()));
    if (d.has("at")) {
      JsonNode a = d.path("at");
      line(
          out,
          "Offset " + a.path("offset").asText(),
          String.format(
              Locale.ROOT,
              "cell %d, stored as cell %d at offset %d: stripe %d, data unit %d",
              a.path("cell").asLong(),
              a.path("storedCell").asLong(),
              a.path("storedOffset").asLong(),
              a.path("stripe").asLong(),
              a.path("dataUnit").asLong()));
    }
  }

  private static void line(PrintStream out, String name, String value) {
    out.printf("%-12s %s%n", name, value);
  }
}
