/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.bridge.doctor.ClusterFacts;
import io.hdfsparity.bridge.doctor.DaemonAnswer;
import io.hdfsparity.bridge.doctor.Doctor;
import io.hdfsparity.bridge.doctor.Finding;
import io.hdfsparity.bridge.doctor.Severity;
import io.hdfsparity.core.cli.Arguments;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** {@code hdfs parity doctor}: what is wrong on this host and in the daemons, and what to do. */
final class DoctorCommand extends ConsoleCommand {
  private final Doctor doctor;

  DoctorCommand(Console console, Doctor doctor) {
    super(
        console,
        "doctor",
        "[-json] " + ClusterInquiry.DATANODES_USAGE,
        """
        Looks at the configuration of this host, asks all NameNodes and live DataNodes, and says
        what is wrong and what to do. Changes nothing.
        """
            + ClusterInquiry.DATANODES_HELP
            + """
        Exit code 1 when there is an ERROR or a WARNING.
        """);
    this.doctor = doctor;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(Console.JSON), Set.of(ClusterInquiry.DATANODES));
    ClusterFacts facts = new ClusterInquiry(console).ask(a.value(ClusterInquiry.DATANODES));
    List<Finding> findings = doctor.examine(facts);
    boolean isHealthy = findings.stream().allMatch(each -> each.kind().severity() == Severity.INFO);
    console.print(document(facts, findings, isHealthy), a, DoctorCommand::text);
    return isHealthy ? 0 : ParityAdmin.PROBLEMS;
  }

  private static ObjectNode document(
      ClusterFacts facts, List<Finding> findings, boolean isHealthy) {
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    doc.put("schema", 1);
    doc.put("suiteVersion", facts.local().suiteVersion());
    doc.put("hadoopVersion", facts.local().hadoopVersion());
    doc.put("healthy", isHealthy);
    for (Severity each : Severity.values()) {
      doc.put(plural(each), findings.stream().filter(one -> one.kind().severity() == each).count());
    }
    answered(doc.putObject("nameNodes"), facts.nameNodes());
    answered(doc.putObject("dataNodes"), facts.dataNodes());
    ArrayNode list = doc.putArray("findings");
    for (Finding each : findings) {
      list.addObject()
          .put("code", each.kind().code())
          .put("severity", each.kind().severity().name())
          .put("place", each.place())
          .put("detail", each.detail())
          .put("meaning", each.kind().meaning())
          .put("remedy", each.kind().remedy());
    }
    return doc;
  }

  private static String plural(Severity severity) {
    return switch (severity) {
      case ERROR -> "errors";
      case WARNING -> "warnings";
      case INFO -> "notes";
    };
  }

  private static void answered(ObjectNode into, List<DaemonAnswer> answers) {
    into.put("asked", answers.size());
    into.put("answered", answers.stream().filter(each -> each.status().isPresent()).count());
  }

  private static void text(JsonNode doc, PrintStream out) {
    Map<String, List<JsonNode>> byCode = new LinkedHashMap<>();
    doc.get("findings")
        .forEach(
            each ->
                byCode
                    .computeIfAbsent(each.get("code").textValue(), code -> new ArrayList<>())
                    .add(each));
    byCode.forEach((code, findings) -> text(findings, out));
    out.printf(
        Locale.ROOT,
        "%d errors, %d warnings, %d notes; %s NameNodes and %s DataNodes answered%n",
        doc.get("errors").longValue(),
        doc.get("warnings").longValue(),
        doc.get("notes").longValue(),
        share(doc.get("nameNodes")),
        share(doc.get("dataNodes")));
  }

  private static String share(JsonNode answered) {
    return answered.get("answered").longValue() + " of " + answered.get("asked").longValue();
  }

  private static void text(List<JsonNode> findings, PrintStream out) {
    JsonNode first = findings.get(0);
    out.println(
        first.get("severity").textValue()
            + " "
            + first.get("code").textValue()
            + ": "
            + first.get("meaning").textValue());
    BoundedLines.print(
        findings.stream()
            .map(each -> each.get("place").textValue() + ": " + each.get("detail").textValue())
            .toList(),
        out);
    out.println("  To do: " + first.get("remedy").textValue());
    out.println();
  }
}
