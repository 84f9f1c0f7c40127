/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.raidp.adoption.AdoptionProgress;
import io.hdfsparity.raidp.adoption.BlockSizes;
import io.hdfsparity.raidp.adoption.Tally;
import java.util.Map;
import java.util.TreeMap;

/** The progress of an adoption as JSON. Stateless. */
final class AdoptionDocuments {
  private AdoptionDocuments() {}

  static void put(ObjectNode doc, AdoptionProgress progress, long unitBytes) {
    putTallies(doc.putObject("files"), progress.files());
    putTallies(doc.putObject("blocks"), progress.blocks());
    putTally(doc.putObject("done"), progress.done());
    doc.putObject("totals")
        .put("count", progress.totals().files())
        .put("bytes", progress.totals().bytes())
        .put("complete", progress.totals().complete());
    putTally(doc.putObject("inFlight"), progress.inFlight());
    putTally(doc.putObject("newlyCovered"), progress.newlyCovered());
    putTally(doc.putObject("copied"), progress.copied());
    doc.put("bytesPerSecond", progress.bytesPerSecond())
        .put("etaMs", progress.etaMs())
        .put("elapsedMs", progress.elapsedMs())
        .put("unitBytes", unitBytes);
    ArrayNode sizes = doc.putArray("blockSizes");
    for (int i = 0; i < progress.sizes().size(); i++) {
      putTally(sizes.addObject().put("size", BlockSizes.NAMES.get(i)), progress.sizes().get(i));
    }
  }

  private static void putTallies(ObjectNode doc, Map<? extends Enum<?>, Tally> tallies) {
    Map<String, Tally> sorted = new TreeMap<>();
    tallies.forEach((kind, tally) -> sorted.put(kind.name(), tally));
    sorted.forEach((kind, tally) -> putTally(doc.putObject(kind), tally));
  }

  static void putTally(ObjectNode doc, Tally tally) {
    doc.put("count", tally.count()).put("bytes", tally.bytes());
  }
}
