/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.bridge.wire.WireProtection;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.Timers;
import io.hdfsparity.raidp.config.LstorDaemonOptions;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.config.RaidpOptions;
import io.hdfsparity.raidp.wire.RaidpProtocols;
import io.hdfsparity.raidp.wire.message.LstorReport;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lstor daemon: one process a node beside the DataNode. It serves the parity of a disk while
 * the DataNode is dead or has given the disk up, and reports all Lstors of the node to the
 * managers.
 *
 * <p><b>Who holds an Lstor.</b> See {@link LstorLock}. The daemon opens an Lstor when the first
 * request for its rows or parity comes, if the lock is free; opening replays the journal. It keeps
 * it for {@value #LEASE_MS} ms after the last request, so that a rebuild sees one unchanging Lstor,
 * and closes it at once, after the reads in flight, when the DataNode asks for it through the
 * {@code .want} file, which is looked at every {@value #YIELD_CHECK_MS} ms. While the DataNode
 * holds it, {@code info} says {@code locked} and everything else fails with {@link
 * LstorInUseException}. For its reports the daemon takes a free lock for a moment, but reads the
 * Lstor only when somebody else has had the lock since.
 *
 * <p>Thread-safe.
 */
public final class LstorDaemon implements Closeable {
  /** Time without requests after which an Lstor is closed, in milliseconds. */
  static final long LEASE_MS = 5_000;

  /** How often requests of DataNodes are looked for while an Lstor is open, in milliseconds. */
  static final long YIELD_CHECK_MS = 100;

  /** How often the configuration files are read for new directories, in milliseconds. */
  static final long REREAD_MS = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(LstorDaemon.class);
  private static final int SHUTDOWN_PRIORITY = 10;
  private static final long STOP_WAIT_MS = 5_000;

  private final LstorDirectory directory;
  private final RPC.Server server;
  private final String host;
  private final int port;
  private final ScheduledExecutorService timer;
  private final Supplier<Configuration> files;
  private final List<LstorReporter> reporters = new ArrayList<>();
  private final AtomicReference<List<LstorReport>> snapshot = new AtomicReference<>(List.of());

  /**
   * Starts to serve and to report.
   *
   * @param conf Hadoop's configuration with the keys of the suite
   * @throws IOException when the port is taken, or no directory can be read
   */
  public LstorDaemon(Configuration conf, Clock clock) throws IOException {
    this(conf, clock, HdfsConfiguration::new, REREAD_MS);
  }

  /**
   * @param files what the configuration files say now: directories are added while disks are added
   *     to the DataNode
   */
  LstorDaemon(Configuration conf, Clock clock, Supplier<Configuration> files, long rereadMs)
      throws IOException {
    this.files = files;
    LstorDaemonOptions options = RaidpOptions.lstorDaemon(conf);
    WireProtection.requireRpcAsDataTransfer(conf, "parity of RAIDP");
    directory = new LstorDirectory(options.lstorDirs(), LEASE_MS, clock);
    directory.rescan();
    directory.requireReadable();
    server =
        RpcServers.build(
            conf,
            BindHosts.ofDataNode(conf, NetUtils.createSocketAddr(options.bindAddress())),
            options.handlerCount(),
            RaidpProtocols.lstor(directory));
    host = BindHosts.advertised(conf, server.getListenerAddress());
    port = server.getListenerAddress().getPort();
    List<InetSocketAddress> managers = NameNodeServers.addresses(conf);
    for (InetSocketAddress manager : managers) {
      reporters.add(new LstorReporter(manager, conf, options.peerTimeoutMs(), snapshot::get));
    }
    timer =
        Executors.newScheduledThreadPool(
            3 + managers.size(),
            work -> {
              Thread thread = new Thread(work, "lstor-daemon-timer");
              thread.setDaemon(true);
              return thread;
            });
    server.start();
    every(YIELD_CHECK_MS, this::letGo);
    every(options.reportIntervalMs(), this::refresh);
    every(rereadMs, this::reread);
    for (LstorReporter reporter : reporters) {
      every(options.reportIntervalMs(), reporter::send);
    }
    LOG.info(
        "Lstor daemon serves {} Lstors of {} at {}:{}, managers {}",
        directory.all().size(),
        options.lstorDirs(),
        host,
        port,
        managers);
  }

  /** Port on which it listens. */
  public int port() {
    return port;
  }

  /** Waits until the server is stopped. */
  public void join() throws InterruptedException {
    server.join();
  }

  /** Stops serving and reporting, and lets go of all Lstors. Idempotent. */
  @Override
  public void close() throws IOException {
    // An interrupt would close the file under whoever reads it just now, so the timer is left to
    // finish first.
    timer.shutdown();
    server.stop();
    Timers.end(timer, STOP_WAIT_MS);
    reporters.forEach(LstorReporter::close);
    directory.close();
    LOG.info("Lstor daemon at {}:{} has stopped", host, port);
  }

  private void every(long intervalMs, Runnable work) {
    timer.scheduleWithFixedDelay(
        Timers.guarded(
            work, e -> LOG.error("Lstor daemon's periodic work failed; it is tried again", e)),
        0,
        intervalMs,
        TimeUnit.MILLISECONDS);
  }

  private void letGo() {
    try {
      directory.yieldIfDue();
    } catch (IOException e) {
      LOG.warn("Cannot release an Lstor", e);
    }
  }

  private void reread() {
    Configuration now = files.get();
    if (now.get(RaidpKey.LSTOR_DIRS.key()) != null) {
      List<Path> added = directory.add(RaidpOptions.lstorDaemon(now).lstorDirs());
      if (!added.isEmpty()) {
        LOG.info("Lstors are looked for in new directories of the configuration: {}", added);
      }
    }
  }

  private void refresh() {
    try {
      directory.rescan();
    } catch (IOException e) {
      LOG.warn("Cannot close an Lstor that was put aside", e);
    }
    snapshot.set(
        directory.all().stream().map(lstor -> LstorReporter.describe(lstor, host, port)).toList());
  }

  /**
   * {@code LstorDaemon}: serves until killed. {@code LstorDaemon -check <lstor file>...}: checks
   * files that nobody has open.
   */
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && args[0].equals("-check")) {
      System.exit(LstorFileCheck.run(Arrays.asList(args).subList(1, args.length), System.out));
    }
    if (args.length > 0) {
      System.err.println("Usage: LstorDaemon [-check <lstor file>...]");
      System.exit(2);
    }
    try {
      Configuration conf = new HdfsConfiguration();
      login(conf);
      LstorDaemon daemon = new LstorDaemon(conf, Clock.system());
      ShutdownHookManager.get().addShutdownHook(daemon::closeQuietly, SHUTDOWN_PRIORITY);
      daemon.join();
    } catch (IOException | RuntimeException e) {
      LOG.error("Lstor daemon cannot start", e);
      System.err.println("Lstor daemon cannot start: " + e.getMessage());
      System.exit(1);
    }
  }

  /** With Kerberos the daemon is a DataNode's helper and bears its principal. */
  private static void login(Configuration conf) throws IOException {
    UserGroupInformation.setConfiguration(conf);
    SecurityUtil.login(
        conf,
        DFSConfigKeys.DFS_DATANODE_KEYTAB_FILE_KEY,
        DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY,
        InetAddress.getLocalHost().getCanonicalHostName());
  }

  private void closeQuietly() {
    try {
      close();
    } catch (IOException e) {
      LOG.warn("Lstor daemon did not stop cleanly; the journals hold what is missing", e);
    }
  }
}
