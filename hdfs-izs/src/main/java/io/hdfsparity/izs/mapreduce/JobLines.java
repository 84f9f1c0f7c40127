/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapreduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.izs.apply.ApplyItem;
import io.hdfsparity.izs.apply.MoveResult;
import io.hdfsparity.izs.mapping.Advice.Verdict;
import io.hdfsparity.izs.mapping.StorageForm;
import java.io.IOException;
import java.util.Optional;

/** Lines of a job's input and output: one JSON object each, so that any file name fits. */
final class JobLines {
  private static final ObjectMapper JSON = new ObjectMapper();

  private JobLines() {}

  static String input(ApplyItem item) throws IOException {
    return JSON.writeValueAsString(node(item));
  }

  static ApplyItem item(String line) throws IOException {
    JsonNode node = JSON.readTree(line);
    return new ApplyItem(
        node.required("path").textValue(),
        node.required("inode").longValue(),
        Verdict.REWRITE,
        node.required("from").textValue(),
        node.required("to").textValue(),
        node.required("rawBytesNow").longValue(),
        node.required("rawBytesThen").longValue());
  }

  static String output(ApplyItem item, MoveResult result) throws IOException {
    ObjectNode node = node(item);
    node.put("copiedBytes", result.copiedBytes());
    result
        .refusal()
        .ifPresent(
            r -> node.put("kind", r.kind()).put("reason", r.reason()).put("remedy", r.remedy()));
    return JSON.writeValueAsString(node);
  }

  static MoveResult result(String line) throws IOException {
    JsonNode node = JSON.readTree(line);
    return new MoveResult(
        node.required("copiedBytes").longValue(),
        node.has("kind")
            ? Optional.of(
                new Refusal(
                    node.required("kind").textValue(),
                    node.required("reason").textValue(),
                    node.required("remedy").textValue()))
            : Optional.empty());
  }

  private static ObjectNode node(ApplyItem item) {
    return JSON.createObjectNode()
        .put("path", item.path())
        .put("inode", item.inodeId())
        .put("from", item.from())
        .put("to", item.to())
        .put("rawBytesNow", item.rawBytesNow())
        .put("rawBytesThen", item.rawBytesThen());
  }

  /**
   * A form from its text.
   *
   * @throws IOException when it is none
   */
  static StorageForm form(String text) throws IOException {
    if (text.equals("raidp")) {
      return new StorageForm.Raidp();
    }
    if (text.matches("replication [0-9]{1,3}")) {
      return new StorageForm.Replicated(Integer.parseInt(text.substring("replication ".length())));
    }
    Optional<StorageForm.Coded> coded =
        text.startsWith("ec ")
            ? StorageForm.Coded.ofPolicy(text.substring("ec ".length()))
            : Optional.empty();
    return coded.orElseThrow(
        () ->
            new IOException(
                "Cannot read a job's line: form="
                    + text
                    + ", expected replication N, raidp or ec POLICY"));
  }
}
