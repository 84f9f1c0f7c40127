/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.core.cli.Arguments;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  /** Where the locale is POSIX, Java prints ASCII, and a question mark for all else. */
  @Test
  void aDocumentIsWholeInAnyLocale() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream posix = new PrintStream(out, true, StandardCharsets.US_ASCII);
    ObjectNode doc =
        JsonNodeFactory.instance.objectNode().put("file", "/d\u00e9p\u00f4t \u6587 \ud83d\ude00");
    new Console(Configuration::new, posix, posix)
        .print(doc, Arguments.parse(List.of("-json"), Set.of("-json"), Set.of()), (d, to) -> {});
    JsonNode back = new ObjectMapper().readTree(out.toByteArray());
    assertThat(back).isEqualTo(doc);
    assertThat(out.toString(StandardCharsets.US_ASCII)).contains("\\u00E9").contains("\n");
  }
}
