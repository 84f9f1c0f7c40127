/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.ScrubRequest.Action;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs one check at a time, as each reads every disk; tells how far it is. Thread-safe. */
final class FsckCalls {
  private static final int FAILED = -1;

  private final Supplier<ClusterView> views;
  private final Namespace namespace;
  private final Supplier<Set<String>> unheard;
  private final FsckPeers peers;
  private final AdminCalls.Times times;
  private final AtomicReference<@Nullable NodeScrubs> running = new AtomicReference<>();

  /** What a check does. */
  interface Check {
    FsckReport run(Fsck fsck, ScrubRequest request)
        throws InterruptedException, InterruptedIOException;
  }

  FsckCalls(
      Supplier<ClusterView> views,
      Namespace namespace,
      Supplier<Set<String>> unheard,
      FsckPeers peers,
      AdminCalls.Times times) {
    this.views = views;
    this.namespace = namespace;
    this.unheard = unheard;
    this.peers = peers;
    this.times = times;
  }

  /**
   * Runs a check to its end, tells how far the one is that runs, or ends it.
   *
   * @throws IOException when another check runs, or this one was stopped
   */
  TextResponse answer(FsckOptions options, Check check) throws IOException {
    return switch (options.action()) {
      case RUN -> run(options, check);
      case WATCH -> progress();
      case STOP -> {
        NodeScrubs now = running.get();
        if (now != null) {
          now.stop();
        }
        yield progress();
      }
    };
  }

  private TextResponse run(FsckOptions options, Check check) throws IOException {
    NodeScrubs scrubs = new NodeScrubs(peers, options.parallel(), times.clockMs());
    if (!running.compareAndSet(null, scrubs)) {
      throw new IOException(
          "Cannot check: another fsck or scrub is running, expected one at a time; hdfs raidp"
              + " -fsck -stop ends it");
    }
    try {
      return answer(
          check.run(
              new Fsck(views, namespace, peers, times.pause(), scrubs, unheard),
              new ScrubRequest(
                  options.diskId(),
                  options.repair(),
                  true,
                  Action.RUN,
                  options.throttleBytesPerSecond())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("Cannot check: interrupted").initCause(e);
    } finally {
      running.set(null);
    }
  }

  private TextResponse progress() {
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    NodeScrubs now = running.get();
    doc.put("running", now != null);
    if (now != null) {
      NodeScrubs.Progress progress = now.progress();
      doc.put("nodesDone", progress.nodesDone());
      doc.put("nodesTotal", progress.nodesTotal());
      doc.put("bytesRead", progress.bytesRead());
      doc.put("percent", (int) Math.floor(100 * progress.fraction()));
      doc.put("elapsedMs", progress.elapsedMs());
      doc.put("etaMs", progress.etaMs());
    }
    return new TextResponse(doc.toString(), 0);
  }

  private static TextResponse answer(FsckReport report) {
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    doc.put("healthy", report.healthy());
    doc.put("superchunks", report.superchunks());
    doc.put("blocks", report.blocks());
    report.plainBlocks().ifPresent(plain -> doc.put("plainBlocks", plain));
    doc.put("rows", report.rows());
    doc.put("bytesRead", report.bytesRead());
    ArrayNode findings = doc.putArray("findings");
    for (FsckReport.Finding f : report.findings()) {
      ObjectNode entry = findings.addObject();
      entry.put("kind", f.kind());
      f.superchunkId().ifPresent(id -> entry.put("superchunk", id));
      f.blockId().ifPresent(id -> entry.put("block", id));
      entry.put("detail", f.detail());
      entry.put("repaired", f.repaired());
    }
    return new TextResponse(doc.toString(), report.healthy() ? 0 : FAILED);
  }
}
