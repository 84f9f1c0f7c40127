/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What {@code hdfs ecupdate -status} says of sessions. */
class StatusCommandTest {
  @Test
  void anExclusiveSessionIsTold() {
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    ArrayNode sessions = doc.putArray("sessions");
    sessions
        .addObject()
        .put("path", "/disk")
        .put("user", "u")
        .put("client", "c")
        .put("ageMs", 7000)
        .put("ended", "")
        .put("attached", true)
        .put("exclusive", true);
    sessions.add(sessions.path(0).deepCopy());
    ((ObjectNode) sessions.path(1)).put("exclusive", false).put("attached", false);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StatusCommand.text(doc, new PrintStream(out, true, StandardCharsets.UTF_8));
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "session of /disk: u, client c, 7 s old, exclusive, attached after a failover",
            "session of /disk: u, client c, 7 s old",
            "2 open sessions, 0 DataNodes");
  }
}
