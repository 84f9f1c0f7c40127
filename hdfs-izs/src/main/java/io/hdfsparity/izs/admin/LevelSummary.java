/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.izs.level.FileOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts what became of the files of one run; of refusals it keeps a few of each kind. */
final class LevelSummary {
  private static final int EXAMPLES = 5;

  private static final class Kind {
    private final String remedy;
    private final List<String> examples = new ArrayList<>();
    private long files;

    Kind(String remedy) {
      this.remedy = remedy;
    }
  }

  private final Map<String, Kind> kinds = new TreeMap<>();
  private long changed;
  private long unchanged;
  private long groups;
  private long refused;
  private long replicated;

  void add(FileOutcome outcome) {
    if (outcome.refusal().isPresent()) {
      Refusal refusal = outcome.refusal().get();
      Kind kind = kinds.computeIfAbsent(refusal.kind(), unused -> new Kind(refusal.remedy()));
      kind.files++;
      refused++;
      if (kind.examples.size() < EXAMPLES) {
        kind.examples.add(outcome.path() + ": " + refusal.reason());
      }
    } else if (outcome.changed()) {
      changed++;
      groups += outcome.groups();
    } else {
      unchanged++;
    }
  }

  /** A file without erasure coding in a tree. */
  void passOver() {
    replicated++;
  }

  long refused() {
    return refused;
  }

  /** Progress so far. */
  String line() {
    return changed + " changed, " + unchanged + " unchanged, " + refused + " refused so far";
  }

  ObjectNode document(int level, String path) {
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    doc.put("level", level);
    doc.put("path", path);
    doc.put("changed", changed);
    doc.put("changedGroups", groups);
    doc.put("unchanged", unchanged);
    doc.put("refused", refused);
    doc.put("replicated", replicated);
    ArrayNode refusals = doc.putArray("refusals");
    kinds.forEach(
        (word, kind) -> {
          ObjectNode each = refusals.addObject();
          each.put("kind", word);
          each.put("files", kind.files);
          each.put("remedy", kind.remedy);
          ArrayNode examples = each.putArray("examples");
          kind.examples.forEach(examples::add);
        });
    return doc;
  }
}
