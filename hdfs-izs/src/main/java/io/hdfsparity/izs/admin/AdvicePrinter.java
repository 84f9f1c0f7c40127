/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.core.check.Printable;
import io.hdfsparity.core.cli.SizesAndDurations;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.Advice.Verdict;
import io.hdfsparity.izs.mapping.StorageForm;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Prints advice as it comes, because a tree may have millions of files, and a summary at the end.
 * Not thread-safe.
 */
final class AdvicePrinter implements Closeable {
  private final PrintStream out;
  private final Optional<JsonGenerator> json;
  private final Map<Verdict, Long> files = new EnumMap<>(Verdict.class);
  private long nowBytes;
  private long thenBytes;

  private AdvicePrinter(PrintStream out, Optional<JsonGenerator> json) {
    this.out = out;
    this.json = json;
  }

  /** A document that is printed as it grows, and leaves the stream open. */
  static JsonGenerator startObject(PrintStream out) throws IOException {
    JsonGenerator made = new JsonFactory().createGenerator(out);
    made.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    made.useDefaultPrettyPrinter();
    made.writeStartObject();
    return made;
  }

  static AdvicePrinter of(Console console, boolean asJson) throws IOException {
    Optional<JsonGenerator> json = Optional.empty();
    if (asJson) {
      JsonGenerator made = startObject(console.out());
      made.writeArrayFieldStart("files");
      json = Optional.of(made);
    }
    return new AdvicePrinter(console.out(), json);
  }

  void print(Advice advice) throws IOException {
    files.merge(advice.verdict(), 1L, Long::sum);
    nowBytes += advice.rawBytesNow();
    thenBytes += advice.rawBytesThen();
    if (json.isPresent()) {
      write(advice, json.get());
      return;
    }
    out.println(Printable.of(advice.file().path()));
    out.println("  is      " + advice.file().form().text());
    out.println("  should  " + should(advice));
    out.println("  why     " + advice.why());
    if (advice.deltaBytes() != 0) {
      out.println(
          "  bytes   "
              + SizesAndDurations.bytes(advice.rawBytesNow())
              + " to "
              + SizesAndDurations.bytes(advice.rawBytesThen())
              + (advice.deltaBytes() < 0 ? ", saves " : ", costs ")
              + SizesAndDurations.bytes(Math.abs(advice.deltaBytes())));
    }
  }

  private static String should(Advice advice) {
    String form = advice.form().map(StorageForm::text).orElse("");
    return switch (advice.verdict()) {
      case KEEP -> "stay";
      case SET_REPLICATION -> form + " (in place: hdfs dfs -setrep)";
      case SET_LEVEL -> form + " (in place: hdfs izs -setLevel)";
      case REWRITE -> form + " (by a verified copy: hdfs izs -apply)";
      case UNDECIDED -> "not known";
      case INVALID_IMPORTANCE -> "not known: the importance is not valid";
    };
  }

  private static void write(Advice advice, JsonGenerator to) throws IOException {
    to.writeStartObject();
    to.writeStringField("path", advice.file().path());
    to.writeNumberField("lengthBytes", advice.file().lengthBytes());
    to.writeStringField("is", advice.file().form().text());
    to.writeStringField("verdict", advice.verdict().name());
    if (advice.form().isPresent()) {
      to.writeStringField("should", advice.form().get().text());
    }
    if (advice.rule().isPresent()) {
      to.writeStringField("scheme", advice.rule().get().scheme());
      to.writeNumberField("ruleLine", advice.rule().get().line());
    }
    to.writeStringField("why", advice.why());
    if (advice.file().importance().isPresent()) {
      to.writeStringField("importance", advice.file().importance().get());
      to.writeStringField("importanceFrom", advice.file().importanceFrom().orElse(""));
    }
    to.writeNumberField("accesses", advice.rate().accesses());
    to.writeNumberField("missedAtMost", advice.rate().missedAtMost());
    to.writeNumberField("watchedMs", advice.rate().watchedMs());
    to.writeNumberField("rawBytesNow", advice.rawBytesNow());
    to.writeNumberField("rawBytesThen", advice.rawBytesThen());
    to.writeEndObject();
  }

  /** -1 when an attribute is not valid. */
  int exitCode() {
    return files.containsKey(Verdict.INVALID_IMPORTANCE) ? -1 : 0;
  }

  /** Prints the summary. */
  @Override
  public void close() throws IOException {
    if (json.isPresent()) {
      JsonGenerator to = json.get();
      to.writeEndArray();
      to.writeObjectFieldStart("summary");
      for (Map.Entry<Verdict, Long> each : files.entrySet()) {
        to.writeNumberField(each.getKey().name(), each.getValue());
      }
      to.writeNumberField("rawBytesNow", nowBytes);
      to.writeNumberField("rawBytesThen", thenBytes);
      to.writeEndObject();
      to.writeEndObject();
      to.writeRaw('\n');
      to.close();
      return;
    }
    out.println();
    out.println("Files: " + files);
    out.println(
        "Bytes on disks: "
            + SizesAndDurations.bytes(nowBytes)
            + " now, "
            + SizesAndDurations.bytes(thenBytes)
            + " as advised");
  }
}
