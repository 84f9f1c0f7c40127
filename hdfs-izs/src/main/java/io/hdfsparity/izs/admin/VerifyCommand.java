/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.izs.client.FileParityCheck;
import io.hdfsparity.izs.client.GroupCheck;
import io.hdfsparity.izs.rawcoder.IzsRawErasureCoderFactory;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * {@code hdfs izs -verify}: whether the parity of files is what codec izs makes of their data.
 * Reads all units, over the network. Needs no level manager.
 */
final class VerifyCommand extends ConsoleCommand {
  VerifyCommand(Console console) {
    super(
        console,
        "-verify",
        "<path> [-R] [-json]",
        """
    Reads all units of files of codec izs and compares their parity with their data. With two or
    more parity units, it says whether parity is wrong, or one data unit.
    -R  all files below a directory
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            args, Set.of(LevelFiles.RECURSIVE, Console.JSON), Set.of(), List.of("path"));
    LevelFiles files = LevelFiles.of(console.conf(), a.operand(0), a);
    Configuration conf = new Configuration(console.conf());
    conf.setClass("fs.hdfs.impl", ParityFileSystem.class, FileSystem.class);
    Findings findings = new Findings();
    try (ParityFileSystem fs =
        (ParityFileSystem) FileSystem.newInstance(files.fileSystem().getUri(), conf)) {
      FileParityCheck check = new FileParityCheck(fs);
      files.forEach(
          (path, policy) -> {
            if (policy != null && policy.getCodecName().equals(IzsRawErasureCoderFactory.CODEC)) {
              findings.files++;
              check.run(new Path(path), findings::add);
            }
          });
    }
    console.print(findings.toJson(), a, VerifyCommand::text);
    return findings.isAllRight() ? 0 : -1;
  }

  /** What was found so far. */
  private static final class Findings {
    private final Map<GroupCheck.Verdict, Long> counts = new EnumMap<>(GroupCheck.Verdict.class);
    private final ArrayNode others = JsonNodeFactory.instance.arrayNode();
    private long files;
    private long suspected;

    void add(GroupCheck.Result result) {
      counts.merge(result.verdict(), 1L, Long::sum);
      if (result.verdict() == GroupCheck.Verdict.FITS) {
        return;
      }
      ObjectNode one = others.addObject();
      one.put("file", result.group().file());
      one.put("group", result.group().block());
      ArrayNode units = one.putArray("wrongUnits");
      result.wrong().forEach(units::add);
      ArrayNode data = one.putArray("suspectedData");
      result.suspectedData().forEach(data::add);
      suspected += data.isEmpty() ? 0 : 1;
      one.put("notCompared", result.reason());
    }

    boolean isAllRight() {
      return others.isEmpty();
    }

    private long count(GroupCheck.Verdict verdict) {
      return counts.getOrDefault(verdict, 0L);
    }

    private ObjectNode toJson() {
      ObjectNode doc = JsonNodeFactory.instance.objectNode();
      doc.put("files", files);
      doc.put("fitting", count(GroupCheck.Verdict.FITS));
      doc.put("wrong", count(GroupCheck.Verdict.WRONG));
      doc.put("suspected", suspected);
      doc.put("notCompared", count(GroupCheck.Verdict.NOT_COMPARED));
      doc.set("groups", others);
      return doc;
    }
  }

  private static void text(JsonNode doc, PrintStream out) {
    for (JsonNode group : doc.get("groups")) {
      out.printf(
          "%s  %s  %s%n",
          group.get("file").textValue(), group.get("group").textValue(), finding(group));
    }
    long wrong = doc.get("wrong").longValue();
    long suspected = doc.get("suspected").longValue();
    out.printf(
        "Block groups of %d files of codec izs: %d fit, %d wrong, %d not compared%n",
        doc.get("files").longValue(),
        doc.get("fitting").longValue(),
        wrong,
        doc.get("notCompared").longValue());
    if (wrong > suspected) {
      out.println(
          "While all data units are there, a copy of a file whose parity units alone do not fit gets"
              + " the right parity.");
    }
    if (suspected > 0) {
      out.println(
          "Keep a file with a suspected data unit until it is compared with its source: a copy has"
              + " what may be wrong bytes, with parity that fits them, and only the parity of the"
              + " file tells the right ones.");
    }
  }

  private static String finding(JsonNode group) {
    String reason = group.get("notCompared").textValue();
    if (!reason.isEmpty()) {
      return "not compared: " + reason;
    }
    String parity = "parity units " + group.get("wrongUnits") + " do not fit the data";
    List<String> data = new ArrayList<>();
    group.get("suspectedData").forEach(unit -> data.add(unit.asText()));
    return data.isEmpty()
        ? parity
        : "data unit "
            + String.join(" or ", data)
            + " suspected: compare the file with its source; "
            + parity;
  }
}
