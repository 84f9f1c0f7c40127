/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.core.check.Printable;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.core.cli.SizesAndDurations;
import io.hdfsparity.izs.apply.ApplyItem;
import io.hdfsparity.izs.mapping.Advice.Verdict;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Prints what becomes of files as it comes, because a tree may have millions, and one summary at
 * the end. Files that are as they should be are counted only. Thread-safe.
 */
final class ApplyReport implements Closeable {
  /** Whether files are changed, or only shown. */
  enum Mode {
    APPLY,
    DRY_RUN
  }

  private record Kind(String remedy, long files) {}

  private final PrintStream out;
  private final Optional<JsonGenerator> json;
  private final Mode mode;
  private final Map<Verdict, Long> changed = new EnumMap<>(Verdict.class);
  private final Map<Verdict, Long> left = new EnumMap<>(Verdict.class);
  private final Map<String, Kind> refused = new TreeMap<>();
  private long copiedBytes;
  private long nowBytes;
  private long thenBytes;
  private String failure = "";

  private ApplyReport(PrintStream out, Optional<JsonGenerator> json, Mode mode) {
    this.out = out;
    this.json = json;
    this.mode = mode;
  }

  static ApplyReport of(Console console, Mode mode, boolean asJson) throws IOException {
    Optional<JsonGenerator> json = Optional.empty();
    if (asJson) {
      JsonGenerator made = AdvicePrinter.startObject(console.out());
      made.writeBooleanField("dryRun", mode == Mode.DRY_RUN);
      made.writeArrayFieldStart("files");
      json = Optional.of(made);
    }
    return new ApplyReport(console.out(), json, mode);
  }

  /** Nothing is to be done, or nothing is known. */
  synchronized void leave(ApplyItem item, String why) throws IOException {
    left.merge(item.verdict(), 1L, Long::sum);
    if (item.verdict() == Verdict.INVALID_IMPORTANCE) {
      print(item, "left", why, "");
    }
  }

  /** It has the form now, or would get it. */
  synchronized void change(ApplyItem item, long bytes) throws IOException {
    changed.merge(item.verdict(), 1L, Long::sum);
    copiedBytes += bytes;
    nowBytes += item.rawBytesNow();
    thenBytes += item.rawBytesThen();
    print(item, mode == Mode.DRY_RUN ? "would change" : "changed", "", "");
  }

  synchronized void refuse(ApplyItem item, Refusal refusal) throws IOException {
    refused.merge(
        refusal.kind(), new Kind(refusal.remedy(), 1), (a, b) -> new Kind(a.remedy, a.files + 1));
    print(item, "refused", refusal.reason(), refusal.remedy());
  }

  /** The run ended before its end. */
  synchronized void fail(Exception e) {
    failure = CommandLine.firstLine(e.getMessage());
  }

  private void print(ApplyItem item, String result, String reason, String remedy)
      throws IOException {
    String to = item.to().isEmpty() ? "not known" : item.to();
    if (json.isPresent()) {
      JsonGenerator j = json.get();
      j.writeStartObject();
      j.writeStringField("path", item.path());
      j.writeStringField("verdict", item.verdict().name());
      j.writeStringField("from", item.from());
      j.writeStringField("to", to);
      j.writeStringField("result", result);
      if (!reason.isEmpty()) {
        j.writeStringField("reason", reason);
      }
      if (!remedy.isEmpty()) {
        j.writeStringField("remedy", remedy);
      }
      j.writeEndObject();
      return;
    }
    out.println(result + " " + Printable.of(item.path()) + ": " + item.from() + " -> " + to);
    if (!reason.isEmpty()) {
      out.println("  " + Printable.of(reason));
    }
    if (!remedy.isEmpty()) {
      out.println("  remedy: " + remedy);
    }
  }

  /** Progress so far. */
  synchronized String line() {
    return total(changed)
        + " changed ("
        + SizesAndDurations.bytes(copiedBytes)
        + " copied), "
        + total(left)
        + " left, "
        + refusedFiles()
        + " refused so far";
  }

  private static long total(Map<Verdict, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private long refusedFiles() {
    return refused.values().stream().mapToLong(Kind::files).sum();
  }

  /** -1 when a file was refused, or an attribute is not valid. */
  synchronized int exitCode() {
    return refused.isEmpty() && !left.containsKey(Verdict.INVALID_IMPORTANCE)
        ? 0
        : CommandLine.FAILED;
  }

  /** Prints the summary. */
  @Override
  public synchronized void close() throws IOException {
    if (json.isPresent()) {
      closeJson(json.get());
      return;
    }
    String word = mode == Mode.DRY_RUN ? "would change" : "changed";
    out.println();
    out.println(
        "Files: "
            + total(changed)
            + " "
            + word
            + " "
            + changed
            + ", "
            + total(left)
            + " left "
            + left
            + ", "
            + refusedFiles()
            + " refused");
    refused.forEach(
        (kind, files) ->
            out.println("refused " + kind + ": " + files.files + "; remedy: " + files.remedy));
    out.println(
        "Bytes on disks of what "
            + word
            + ": "
            + SizesAndDurations.bytes(nowBytes)
            + " before, "
            + SizesAndDurations.bytes(thenBytes)
            + (mode == Mode.DRY_RUN ? " after; to copy " : " after; copied ")
            + SizesAndDurations.bytes(copiedBytes));
    if (!failure.isEmpty()) {
      out.println("Ended early: " + failure + "; run it again, it continues where it ended");
    }
  }

  private void closeJson(JsonGenerator j) throws IOException {
    j.writeEndArray();
    j.writeObjectFieldStart("summary");
    counts(j, "changed", changed);
    counts(j, "left", left);
    j.writeNumberField("refused", refusedFiles());
    j.writeArrayFieldStart("refusals");
    for (Map.Entry<String, Kind> each : refused.entrySet()) {
      j.writeStartObject();
      j.writeStringField("kind", each.getKey());
      j.writeNumberField("files", each.getValue().files);
      j.writeStringField("remedy", each.getValue().remedy);
      j.writeEndObject();
    }
    j.writeEndArray();
    j.writeNumberField("copiedBytes", copiedBytes);
    j.writeNumberField("rawBytesNow", nowBytes);
    j.writeNumberField("rawBytesThen", thenBytes);
    if (!failure.isEmpty()) {
      j.writeStringField("failure", failure);
    }
    j.writeEndObject();
    j.writeEndObject();
    j.writeRaw('\n');
    j.close();
  }

  private static void counts(JsonGenerator j, String name, Map<Verdict, Long> counts)
      throws IOException {
    j.writeObjectFieldStart(name);
    for (Map.Entry<Verdict, Long> each : counts.entrySet()) {
      j.writeNumberField(each.getKey().name(), each.getValue());
    }
    j.writeEndObject();
  }
}
