/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import io.hdfsparity.raidp.lstor.LstorIdentity;
import io.hdfsparity.raidp.wire.NodeClientTranslator;
import io.hdfsparity.raidp.wire.message.LstorInfo;
import io.hdfsparity.raidp.wire.message.LstorReport;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends reports to one manager. Confined to one thread; {@link #close} may come from another. */
final class LstorReporter implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LstorReporter.class);

  private final InetSocketAddress manager;
  private final Configuration conf;
  private final int timeoutMs;
  private final Supplier<List<LstorReport>> reports;
  private volatile @Nullable NodeClientTranslator client;
  private boolean reachable = true;

  /** Disks whose last report the manager has refused. */
  private final Set<String> refused = new HashSet<>();

  LstorReporter(
      InetSocketAddress manager,
      Configuration conf,
      int timeoutMs,
      Supplier<List<LstorReport>> reports) {
    this.manager = manager;
    this.conf = conf;
    this.timeoutMs = timeoutMs;
    this.reports = reports;
  }

  /** Describes an Lstor for the manager; one that cannot be read is reported with the reason. */
  static LstorReport describe(ServedLstor lstor, String host, int port) {
    LstorIdentity identity = new LstorIdentity("unknown", lstor.diskId(), "");
    try {
      identity = lstor.identity();
      LstorInfo info = lstor.info();
      lstor.isNewFailure("");
      return new LstorReport(
          lstor.diskId(),
          identity.clusterId(),
          identity.nodeUuid(),
          host,
          port,
          info.locked(),
          info.frames(),
          Optional.empty());
    } catch (IOException | RuntimeException e) {
      if (lstor.isNewFailure(String.valueOf(e.getMessage()))) {
        LOG.warn("Cannot read Lstor of disk {}", lstor.diskId(), e);
      }
      return new LstorReport(
          lstor.diskId(),
          identity.clusterId(),
          identity.nodeUuid(),
          host,
          port,
          false,
          List.of(),
          Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /** One round; a manager that is down is tried again in the next. */
  void send() {
    try {
      NodeClientTranslator current = client;
      if (current == null) {
        current = new NodeClientTranslator(fresh(manager), conf, timeoutMs);
        client = current;
      }
      for (LstorReport report : reports.get()) {
        send(current, report);
      }
      if (!reachable) {
        LOG.info("Manager {} is reachable again", manager);
      }
      reachable = true;
    } catch (IOException | RuntimeException e) {
      if (reachable) {
        LOG.warn("Cannot report Lstors to manager {}, trying on: {}", manager, e.toString());
        LOG.debug("Cannot report Lstors to manager {}", manager, e);
      }
      reachable = false;
      close();
    }
  }

  /**
   * Sends one report. What the manager refuses is tried again in the next round, and holds up no
   * other.
   *
   * @throws IOException when the manager cannot be reached: each other would wait for it again
   */
  private void send(NodeClientTranslator current, LstorReport report) throws IOException {
    String diskId = report.diskId();
    try {
      if (!current.reportLstor(report)) {
        LOG.debug("Manager {} did not take in the report of disk {}", manager, diskId);
      }
      if (refused.remove(diskId)) {
        LOG.info("Manager {} takes in reports of disk {} again", manager, diskId);
      }
    } catch (SocketException | InterruptedIOException | UnknownHostException | EOFException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      if (client != current) {
        throw e; // Closed meanwhile.
      }
      if (refused.add(diskId)) {
        LOG.warn(
            "Manager {} refuses the report of the Lstor of disk {}, trying on: {}",
            manager,
            diskId,
            e.toString());
      }
      LOG.debug("Manager {} refuses the report of disk {}", manager, diskId, e);
    }
  }

  @Override
  public void close() {
    NodeClientTranslator current = client;
    client = null;
    if (current != null) {
      current.close();
    }
  }

  /**
   * Asks the name service again: the manager may have come up, or moved, since the daemon started.
   */
  private static InetSocketAddress fresh(InetSocketAddress address) {
    return address.isUnresolved()
        ? new InetSocketAddress(address.getHostString(), address.getPort())
        : address;
  }
}
