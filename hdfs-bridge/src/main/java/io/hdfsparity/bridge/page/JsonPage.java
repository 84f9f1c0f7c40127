/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.List;

/** A page as JSON. Names of fields are stable. */
public final class JsonPage {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonPage() {}

  /** The document, indented. */
  public static String render(Page page) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document(page)) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode document(Page page) {
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    doc.put("nameNode", page.head().nameNode());
    doc.put("state", page.head().state());
    doc.put("software", page.head().software());
    doc.put("madeAtMs", page.head().madeAtMs());
    doc.put("complete", page.head().isComplete());
    doc.put("verdict", page.verdict().word());
    strings(doc.putArray("otherNameNodes"), page.head().others());
    ArrayNode features = doc.putArray("features");
    for (Page.Health each : page.features()) {
      features
          .addObject()
          .put("part", each.part())
          .put("state", each.state())
          .put("tone", each.tone().word())
          .put("reason", each.reason());
    }
    ArrayNode findings = doc.putArray("findings");
    for (Page.FoundKind each : page.findings()) {
      ObjectNode entry =
          findings
              .addObject()
              .put("code", each.code())
              .put("tone", each.tone().word())
              .put("meaning", each.meaning())
              .put("remedy", each.remedy())
              .put("count", each.count());
      strings(entry.putArray("details"), each.details());
    }
    ArrayNode sections = doc.putArray("sections");
    page.sections().forEach(each -> section(sections.addObject(), each));
    return doc;
  }

  private static void section(ObjectNode to, PageSection section) {
    to.put("feature", section.feature()).put("title", section.title());
    ArrayNode figures = to.putArray("figures");
    for (PageFigure each : section.figures()) {
      figures
          .addObject()
          .put("label", each.label())
          .put("value", each.value())
          .put("tone", each.tone().word());
    }
    ArrayNode meters = to.putArray("meters");
    for (PageMeter each : section.meters()) {
      meters
          .addObject()
          .put("label", each.label())
          .put("done", each.done())
          .put("total", each.total())
          .put("text", each.text());
    }
    ArrayNode maps = to.putArray("maps");
    section.maps().forEach(each -> map(maps.addObject(), each));
    ArrayNode tables = to.putArray("tables");
    section.tables().forEach(each -> table(tables.addObject(), each));
    strings(to.putArray("notes"), section.notes());
  }

  private static void map(ObjectNode to, PageMap map) {
    to.put("title", map.title()).put("caption", map.caption()).put("note", map.note());
    ArrayNode rows = to.putArray("rows");
    for (PageMap.Row row : map.rows()) {
      ArrayNode cells = rows.addObject().put("label", row.label()).putArray("cells");
      for (PageMap.Cell cell : row.cells()) {
        ObjectNode entry = cells.addObject().put("tone", cell.tone().word());
        if (!cell.hint().isEmpty()) {
          entry.put("hint", cell.hint());
        }
      }
    }
  }

  private static void table(ObjectNode to, PageTable table) {
    to.put("title", table.title()).put("count", table.count());
    strings(to.putArray("columns"), table.columns());
    ArrayNode rows = to.putArray("rows");
    table.rows().forEach(row -> strings(rows.addArray(), row));
  }

  private static void strings(ArrayNode to, List<String> texts) {
    texts.forEach(to::add);
  }
}
