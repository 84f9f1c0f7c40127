/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import io.hdfsparity.raidp.layout.ClusterShape;
import io.hdfsparity.raidp.layout.Disk;
import io.hdfsparity.raidp.layout.FrameId;
import io.hdfsparity.raidp.layout.Layout;
import io.hdfsparity.raidp.layout.PairTable;
import io.hdfsparity.raidp.layout.PlanCosts;
import io.hdfsparity.raidp.layout.PlanFailures;
import io.hdfsparity.raidp.layout.PlanReport;
import io.hdfsparity.raidp.layout.RecoveryRoom;
import io.hdfsparity.raidp.layout.SuperchunkPair;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Writes a plan as JSON, piece by piece, because a large cluster has millions of superchunks. */
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
      for (String note : report.notes()) {
        json.writeString(note);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("superchunks");
      if (report.planned().layout().isPresent()) {
        writeFrames(report.planned().layout().get(), json);
      } else {
        writeTable(report, json);
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private static void writeFrames(Layout layout, JsonGenerator json) throws IOException {
    ClusterShape shape = layout.shape();
    for (SuperchunkPair pair : layout.pairs()) {
      startSuperchunk(pair.id(), json);
      writeReplica(shape, pair.leader(), json);
      writeReplica(shape, pair.follower(), json);
      endSuperchunk(json);
    }
  }

  private static void writeTable(PlanReport report, JsonGenerator json) throws IOException {
    PairTable table = report.planned().table();
    SerializedString[] nodes = new SerializedString[table.disks().nodes()];
    Arrays.setAll(nodes, n -> new SerializedString(report.spec().nodeName(n)));
    SerializedString[] disks = new SerializedString[table.disks().disks()];
    Arrays.setAll(disks, d -> new SerializedString(report.spec().diskName(d)));
    SerializedString[] racks = new SerializedString[table.disks().nodes()];
    Arrays.setAll(racks, n -> new SerializedString(report.spec().rackName(n)));
    for (int a = 0; a < disks.length; a++) {
      for (int i = 0; i < table.load(a); i++) {
        int b = table.peer(a, i);
        if (a < b) {
          startSuperchunk(table.id(a, b), json);
          int[] ends = {a, b};
          int[] frames = {i, table.frame(b, a)};
          for (int e = 0; e < ends.length; e++) {
            int node = table.disks().node(ends[e]);
            writeReplica(nodes[node], racks[node], disks[ends[e]], frames[e], json);
          }
          endSuperchunk(json);
        }
      }
    }
  }

  private static void startSuperchunk(long id, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", id);
    json.writeArrayFieldStart("replicas");
  }

  private static void endSuperchunk(JsonGenerator json) throws IOException {
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeReplica(
      SerializableString node,
      SerializableString rack,
      SerializableString disk,
      int frame,
      JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("node");
    json.writeString(node);
    json.writeFieldName("rack");
    json.writeString(rack);
    json.writeFieldName("disk");
    json.writeString(disk);
    json.writeNumberField("frame", frame);
    json.writeEndObject();
  }

  private static void writeSummary(PlanReport report, JsonGenerator json) throws IOException {
    json.writeNumberField("nodes", report.spec().nodes());
    json.writeNumberField("disksPerNode", report.spec().disksPerNode());
    json.writeNumberField("racks", report.spec().racks());
    json.writeNumberField("framesPerDisk", report.spec().framesPerDisk());
    json.writeNumberField("spareFramesPerDisk", report.spec().spareFramesPerDisk());
    json.writeNumberField("roomDisks", report.spec().roomDisks());
    json.writeNumberField("diskBytes", report.spec().diskBytes());
    json.writeStringField("method", report.planned().method());
    json.writeNumberField("superchunkCount", report.planned().table().superchunks());
    json.writeNumberField("superchunkBytes", report.spec().superchunkBytes());
    json.writeObjectFieldStart("lstor");
    json.writeNumberField("unitBytes", report.lstor().unitBytes());
    json.writeNumberField("totalBytes", report.lstor().totalBytes());
    json.writeNumberField("dataParityBytes", report.lstor().dataParityBytes());
    json.writeNumberField("checksumParityBytes", report.lstor().checksumParityBytes());
    json.writeNumberField("tableBytes", report.lstor().tableBytes());
    json.writeNumberField("journalBytes", report.lstor().journalBytes());
    json.writeEndObject();
    json.writeNumberField("rawBytes", report.capacity().rawBytes());
    json.writeNumberField("usableBytes", report.capacity().usableBytes());
    json.writeNumberField("threeReplicasBytes", report.capacity().threeReplicasBytes());
    json.writeNumberField("minSuperchunksPerDisk", report.planned().load().min());
    json.writeNumberField("maxSuperchunksPerDisk", report.planned().load().max());
  }

  private static void writeSurvives(PlanReport report, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("survives");
    json.writeBooleanField("anyDisk", report.losses().survival().anyDisk());
    json.writeBooleanField("anyNode", report.losses().survival().anyNode());
    json.writeBooleanField("anyTwoDisks", report.losses().survival().anyTwoDisks());
    json.writeBooleanField(
        "anyRackAvailability", report.losses().survival().availableWithoutAnyRack());
    json.writeNumberField(
        "maxSuperchunksSharedByTwoNodes", report.losses().survival().sharedByTwoNodes());
    json.writeNumberField("minSuperchunksSharedByTwoNodes", report.planned().sharing().min());
    json.writeNumberField("meanSuperchunksSharedByTwoNodes", report.planned().sharing().mean());
    json.writeNumberField(
        "maxSuperchunksSharedByDiskAndNode", report.planned().sharing().maxWithDisk());
    json.writeNumberField("triplesThatSharePairwise", report.losses().triangles().count());
    json.writeBooleanField("triplesExact", report.losses().triangles().exact());
    json.writeNumberField("superchunksSampledForTriples", report.losses().triangles().tried());
    json.writeEndObject();
    json.writeArrayFieldStart("losesAtMost");
    for (PlanFailures.Case each : report.losses().failures()) {
      json.writeStartObject();
      json.writeStringField("failure", each.what());
      json.writeNumberField("superchunks", each.lost());
      json.writeNumberField("bytes", each.lost() * report.spec().superchunkBytes());
      json.writeNumberField("superchunksWithXor", each.lostWithXor());
      json.writeStringField("threeReplicas", each.threeReplicas());
      json.writeEndObject();
    }
    json.writeEndArray();
    PlanCosts costs = report.costs();
    json.writeObjectFieldStart("costs");
    json.writeNumberField("lstorBytesWrittenPerByte", costs.lstorWriteFactor());
    json.writeNumberField("blockBytes", PlanCosts.BLOCK_BYTES);
    json.writeNumberField("rowsPerDisk", costs.rowsPerDisk());
    json.writeNumberField("dataNodeHeapBytes", costs.dataNodeHeapBytes());
    json.writeNumberField("pairTableBytes", costs.pairTableBytes());
    json.writeNumberField("diskRecoverySeconds", costs.recovery().seconds());
    json.writeStringField("diskRecoveryLimit", costs.recovery().limit());
    json.writeNumberField("diskRecoveryInHdfsSeconds", costs.recovery().secondsInHdfs());
    json.writeNumberField("lostBlockSeconds", costs.blockSeconds());
    json.writeNumberField("lostSuperchunkSeconds", costs.superchunkSeconds());
    json.writeEndObject();
    json.writeArrayFieldStart("recovery");
    for (RecoveryRoom room : report.losses().room()) {
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
