/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.hdfsparity.raidp.layout.ClusterShape;
import io.hdfsparity.raidp.layout.Disk;
import io.hdfsparity.raidp.layout.FrameId;
import io.hdfsparity.raidp.layout.PlanReport;
import io.hdfsparity.raidp.layout.RecoveryRoom;
import io.hdfsparity.raidp.layout.SuperchunkPair;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a plan as JSON, piece by piece, because a large cluster has hundreds of thousands of
 * superchunks.
 */
final class PlanJson {
  private PlanJson() {}

  /** Writes UTF-8; does not close {@code out}. */
  static void write(PlanReport report, OutputStream out) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      writeSummary(report, json);
      writeSurvives(report, json);
      json.writeArrayFieldStart("notes");
      for (String note : report.plan().notes()) {
        json.writeString(note);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("superchunks");
      ClusterShape shape = report.plan().layout().shape();
      for (SuperchunkPair pair : report.plan().layout().pairs()) {
        json.writeStartObject();
        json.writeNumberField("id", pair.id());
        json.writeArrayFieldStart("replicas");
        writeReplica(shape, pair.leader(), json);
        writeReplica(shape, pair.follower(), json);
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private static void writeSummary(PlanReport report, JsonGenerator json) throws IOException {
    json.writeNumberField("nodes", report.spec().nodes());
    json.writeNumberField("disksPerNode", report.spec().disksPerNode());
    json.writeNumberField("racks", report.spec().racks());
    json.writeNumberField("framesPerDisk", report.spec().framesPerDisk());
    json.writeNumberField("spareFramesPerDisk", report.spec().spareFramesPerDisk());
    json.writeNumberField("roomDisks", report.spec().roomDisks());
    json.writeNumberField("diskBytes", report.spec().diskBytes());
    json.writeStringField("method", report.plan().method().name());
    json.writeNumberField("superchunkCount", report.plan().layout().pairs().size());
    json.writeNumberField("superchunkBytes", report.spec().superchunkBytes());
    json.writeObjectFieldStart("lstor");
    json.writeNumberField("totalBytes", report.lstor().totalBytes());
    json.writeNumberField("dataParityBytes", report.lstor().dataParityBytes());
    json.writeNumberField("checksumParityBytes", report.lstor().checksumParityBytes());
    json.writeNumberField("tableBytes", report.lstor().tableBytes());
    json.writeNumberField("journalBytes", report.lstor().journalBytes());
    json.writeEndObject();
    json.writeNumberField("rawBytes", report.capacity().rawBytes());
    json.writeNumberField("usableBytes", report.capacity().usableBytes());
    json.writeNumberField("threeReplicasBytes", report.capacity().threeReplicasBytes());
    json.writeNumberField("minSuperchunksPerDisk", report.load().min());
    json.writeNumberField("maxSuperchunksPerDisk", report.load().max());
  }

  private static void writeSurvives(PlanReport report, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("survives");
    json.writeBooleanField("anyDisk", report.survival().anyDisk());
    json.writeBooleanField("anyNode", report.survival().anyNode());
    json.writeBooleanField("anyTwoDisks", report.survival().anyTwoDisks());
    json.writeBooleanField("anyRackAvailability", report.survival().availableWithoutAnyRack());
    json.writeNumberField("maxSuperchunksSharedByTwoNodes", report.survival().sharedByTwoNodes());
    json.writeEndObject();
    json.writeArrayFieldStart("recovery");
    for (RecoveryRoom room : report.room()) {
      json.writeStartObject();
      json.writeStringField("failure", room.cases());
      json.writeNumberField("possible", room.possible());
      json.writeNumberField("tried", room.tried());
      json.writeNumberField("fullyRedundantAfter", room.complete());
      json.writeNumberField("maxRounds", room.rounds());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeReplica(ClusterShape shape, FrameId frame, JsonGenerator json)
      throws IOException {
    Disk disk = shape.diskOf(frame).orElseThrow();
    json.writeStartObject();
    json.writeStringField("node", disk.node().value());
    json.writeStringField("rack", disk.rack());
    json.writeStringField("disk", disk.id().value());
    json.writeNumberField("frame", shape.frame(frame).orElseThrow().index());
    json.writeEndObject();
  }
}
