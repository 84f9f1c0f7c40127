/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.hdfsparity.core.check.Printable;
import io.hdfsparity.core.cli.Arguments;
import java.io.PrintStream;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/**
 * What a command reads and writes: the configuration that {@code ToolRunner} put the generic
 * options into, and the two streams. As thread-safe as these.
 *
 * @param configuration asked at each use, because it is set after the commands are made
 * @param out answers
 * @param err errors, and progress where the answer is JSON
 */
public record Console(Supplier<Configuration> configuration, PrintStream out, PrintStream err) {
  /** The flag that every command with an answer takes: one JSON document instead of text. */
  public static final String JSON = "-json";

  private static final ObjectWriter WRITER =
      JsonMapper.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build()
          .writerWithDefaultPrettyPrinter();

  /** The configuration as it is now. */
  public Configuration conf() {
    return configuration.get();
  }

  /**
   * Prints an answer as the document that it is, or as text made of it.
   *
   * @param arguments which have {@link #JSON}, or not
   */
  public void print(JsonNode doc, Arguments arguments, BiConsumer<JsonNode, PrintStream> text)
      throws JsonProcessingException {
    if (arguments.has(JSON)) {
      out.println(json(doc));
    } else {
      text.accept(printable(doc), out);
    }
  }

  /** The same document, with no text that would begin a line or control the terminal. */
  private static JsonNode printable(JsonNode doc) {
    if (doc.isTextual()) {
      return TextNode.valueOf(Printable.of(doc.textValue()));
    } else if (doc.isArray()) {
      ArrayNode all = JsonNodeFactory.instance.arrayNode();
      doc.forEach(each -> all.add(printable(each)));
      return all;
    } else if (doc.isObject()) {
      ObjectNode all = JsonNodeFactory.instance.objectNode();
      doc.fields()
          .forEachRemaining(
              each -> all.set(Printable.of(each.getKey()), printable(each.getValue())));
      return all;
    }
    return doc;
  }

  /**
   * A document as text, of ASCII alone: the platform's charset, in which answers are printed, may
   * have no more.
   */
  public static String json(JsonNode doc) throws JsonProcessingException {
    return WRITER.writeValueAsString(doc);
  }
}
