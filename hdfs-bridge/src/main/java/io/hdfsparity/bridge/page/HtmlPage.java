/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.page;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * A page as HTML. It has no script and no style of its own, so it works with a strict
 * Content-Security-Policy: {@code parity.css} and {@code parity.js} come from the same server.
 */
public final class HtmlPage {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

  private final Html out = new Html();

  private HtmlPage() {}

  /** The whole document. */
  public static String render(Page page) {
    HtmlPage html = new HtmlPage();
    html.document(page);
    return html.out.toString();
  }

  private void document(Page page) {
    out.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
    out.raw("<title>HDFS Parity Suite on ").text(page.head().nameNode()).raw("</title>\n");
    out.raw("<link rel=\"icon\" href=\"data:,\">\n");
    out.raw("<link rel=\"stylesheet\" href=\"/parity/parity.css\">\n");
    out.raw("<script src=\"/parity/parity.js\" defer></script>\n</head>\n<body>\n");
    head(page.head());
    out.raw("<main id=\"page\">\n");
    health(page);
    page.sections().forEach(this::section);
    out.raw("<footer>Made ")
        .text(TIME.format(Instant.ofEpochMilli(page.head().madeAtMs())))
        .raw(" by ")
        .text(page.head().software())
        .raw(".</footer>\n</main>\n</body>\n</html>\n");
  }

  private void head(Page.Head head) {
    out.raw("<header><h1>HDFS Parity Suite</h1><p>NameNode <b>")
        .text(head.nameNode())
        .raw("</b> ")
        .element("span", "chip", head.state())
        .raw(
            "</p><nav><a href=\"/\">NameNode</a> <a id=\"json\" href=\"/parity.json\">JSON</a></nav>")
        .raw("</header>\n");
  }

  private void health(Page page) {
    Tone verdict = page.verdict();
    out.raw("<section class=\"health\"><h2>Health ")
        .element("span", "chip " + verdict.word(), words(verdict))
        .raw("</h2>\n");
    notes(page.head());
    out.raw("<ul class=\"features\">\n");
    for (Page.Health each : page.features()) {
      out.raw("<li class=\"")
          .text(each.tone().word())
          .raw("\">")
          .element("b", each.part())
          .raw(" ")
          .element("span", each.state());
      if (!each.reason().isEmpty()) {
        out.element("small", each.reason());
      }
      out.raw("</li>\n");
    }
    out.raw("</ul>\n");
    page.findings().forEach(this::finding);
    out.raw("</section>\n");
  }

  private static String words(Tone verdict) {
    return switch (verdict) {
      case BAD -> "needs action";
      case WARN -> "look at it";
      default -> "good";
    };
  }

  private void notes(Page.Head head) {
    if (!head.state().equals("active")) {
      out.raw("<p class=\"note\">This NameNode is ").text(head.state());
      out.raw(". What follows is what it knows; the active one knows more");
      if (head.others().isEmpty()) {
        out.raw(".");
      } else {
        out.raw(": ");
        String between = "";
        for (String each : head.others()) {
          out.raw(between)
              .raw("<a href=\"")
              .text(each + "/parity")
              .raw("\">")
              .text(each)
              .raw("</a>");
          between = " or ";
        }
        out.raw(".");
      }
      out.raw("</p>\n");
    }
    if (!head.isComplete()) {
      out.raw(
          "<p class=\"note\">Paths, owners and messages are shown to administrators only.</p>\n");
    }
  }

  private void finding(Page.FoundKind found) {
    out.raw("<details class=\"finding ").text(found.tone().word()).raw("\"><summary>");
    out.element("code", found.code()).raw(" ").text(found.meaning());
    if (found.count() > 1) {
      out.raw(" ").element("span", "chip", "× " + found.count());
    }
    out.raw("</summary><p>").text(found.remedy()).raw("</p>");
    if (!found.details().isEmpty()) {
      out.raw("<ul>");
      found.details().forEach(each -> out.element("li", each));
      out.raw("</ul>");
    }
    out.raw("</details>\n");
  }

  private void section(PageSection section) {
    out.raw("<section id=\"").text(section.feature()).raw("\">");
    out.element("h2", section.title()).raw("\n");
    if (!section.figures().isEmpty()) {
      out.raw("<dl class=\"figures\">");
      for (PageFigure each : section.figures()) {
        out.raw("<div class=\"").text(each.tone().word()).raw("\">");
        out.element("dd", each.value()).element("dt", each.label()).raw("</div>");
      }
      out.raw("</dl>\n");
    }
    section.meters().forEach(this::meter);
    section.maps().forEach(this::map);
    section.tables().forEach(this::table);
    section.notes().forEach(each -> out.element("p", "note", each).raw("\n"));
    out.raw("</section>\n");
  }

  private void meter(PageMeter meter) {
    out.raw("<p class=\"meter\"><label>").text(meter.label());
    out.raw(" <progress max=\"100\" value=\"").raw(String.valueOf(meter.percent()));
    out.raw("\"></progress></label> <span>").text(meter.text()).raw("</span></p>\n");
  }

  private void map(PageMap map) {
    out.element("h3", map.title()).raw("<p class=\"caption\">").text(map.caption()).raw("</p>\n");
    out.raw("<ul class=\"legend\">");
    for (PageMap.Legend each : map.legend()) {
      out.raw("<li><i class=\"").text(each.tone().word()).raw("\"></i>");
      out.text(each.meaning()).raw("</li>");
    }
    out.raw("</ul>\n<div class=\"map\">\n");
    for (PageMap.Row row : map.rows()) {
      out.raw("<div><span>").text(row.label()).raw("</span><span>");
      for (PageMap.Cell cell : row.cells()) {
        out.raw("<i class=\"").text(cell.tone().word()).raw("\"");
        if (!cell.hint().isEmpty()) {
          out.raw(" title=\"").text(cell.hint()).raw("\"");
        }
        out.raw("></i>");
      }
      out.raw("</span></div>\n");
    }
    out.raw("</div>\n");
    if (!map.note().isEmpty()) {
      out.element("p", "caption", map.note()).raw("\n");
    }
  }

  private void table(PageTable table) {
    if (table.count() == 0) {
      return;
    }
    out.element("h3", table.title() + " (" + table.count() + ")").raw("\n");
    if (table.rows().isEmpty()) {
      out.element("p", "caption", "Shown to administrators only.").raw("\n");
      return;
    }
    out.raw("<div class=\"wide\"><table><thead>");
    row("th", table.columns());
    out.raw("</thead><tbody>\n");
    table.rows().forEach(each -> row("td", each));
    out.raw("</tbody></table></div>\n");
    if (table.omitted() > 0) {
      out.element("p", "caption", table.omitted() + " more are not shown.").raw("\n");
    }
  }

  private void row(String cell, List<String> texts) {
    out.raw("<tr>");
    texts.forEach(each -> out.element(cell, each));
    out.raw("</tr>\n");
  }
}
