/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.fs;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import io.hdfsparity.ecupdate.client.FileLayout;
import io.hdfsparity.ecupdate.client.SessionTerms;
import io.hdfsparity.ecupdate.client.StripedFileUpdater;
import io.hdfsparity.ecupdate.client.UpdaterOptions;
import io.hdfsparity.ecupdate.codec.CoderProbe;
import io.hdfsparity.ecupdate.managers.SessionManagers;
import io.hdfsparity.ecupdate.net.ChannelClient;
import io.hdfsparity.ecupdate.net.ClientLimits;
import io.hdfsparity.ecupdate.net.TransferProtection;
import io.hdfsparity.ecupdate.session.OpenRequest;
import io.hdfsparity.ecupdate.session.UpdateCode;
import io.hdfsparity.ecupdate.session.UpdateSession;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.net.NetUtils;

/** Opens closed erasure-coded files of HDFS to change bytes in place. Thread-safe. */
public final class FileUpdates {
  private static final System.Logger LOG = System.getLogger(FileUpdates.class.getName());
  private static final int MOST_CELL_BYTES = 1 << 20;

  private FileUpdates() {}

  /**
   * Opens a closed erasure-coded file for in-place updates: asks the session manager of its
   * NameNode for a session, as the current user. The session is renewed until the updater is
   * closed, which also closes all connections.
   *
   * @param fs a DistributedFileSystem, or a FilterFileSystem around one; not closed, and need not
   *     stay open
   * @param path of the file, absolute or relative to the working directory of {@code fs}
   * @param options how the updater works
   * @throws java.io.FileNotFoundException if there is no such file
   * @throws org.apache.hadoop.security.AccessControlException if the user may not read and write it
   * @throws IOException if {@code fs} is no HDFS, the session is refused (the message has kind,
   *     reason and remedy), the cluster's configuration asks for protection that the update channel
   *     does not have, or no session manager answers
   * @throws IllegalArgumentException if the options do not survive the failures that are demanded,
   *     or the cache cannot hold a stripe
   */
  public static StripedFileUpdater open(FileSystem fs, Path path, UpdaterOptions options)
      throws IOException {
    DistributedFileSystem hdfs = hdfs(fs, path);
    Configuration conf = new Configuration(hdfs.getConf());
    requireChannel(conf);
    Bounds.Failures demanded = SurviveOptions.of(conf);
    SessionManagers managers = SessionManagers.of(conf, hdfs.getUri());
    String absolute = fs.makeQualified(path).toUri().getPath();
    SessionHolder holder =
        SessionHolder.open(
            SessionHolder.asCurrentUser(managers),
            new OpenRequest(absolute, clientName(), /* missingUnits= */ 0));
    boolean isOpen = false;
    try {
      StripedFileUpdater updater = open(conf, holder, demanded, options);
      isOpen = true;
      return updater;
    } finally {
      if (!isOpen) {
        giveBack(holder);
      }
    }
  }

  private static StripedFileUpdater open(
      Configuration conf, SessionHolder holder, Bounds.Failures demanded, UpdaterOptions options)
      throws IOException {
    UpdateSession session = holder.told().session();
    UpdateCode code = session.code();
    if (code.cellBytes() > MOST_CELL_BYTES) {
      throw new IOException(
          Refusal.to("update a file in place")
              .value("cellBytes", code.cellBytes())
              .expected("<= " + MOST_CELL_BYTES)
              .where("file", session.path())
              .message());
    }
    FileLayout layout = layout(conf, session);
    SessionTerms terms =
        new SessionTerms(
            session.id().number(),
            demanded,
            session.lease().renewEveryMs(),
            session.lease().leaseMs());
    ChannelClient channels =
        new ChannelClient(
            ClientLimits.standard(), new ReplicaTokens(holder, layout.code().table().crc()));
    boolean isOpen = false;
    try {
      StripedFileUpdater updater =
          StripedFileUpdater.open(
              new NameNodeSession(
                  holder, layout, terms, new Admission(channels, options.operationMs()), channels),
              channels,
              options);
      isOpen = true;
      return updater;
    } finally {
      if (!isOpen) {
        channels.close();
      }
    }
  }

  /** The code is asked of the coder, for every length of a codeword that the file has. */
  private static FileLayout layout(Configuration conf, UpdateSession session) throws IOException {
    UpdateCode code = session.code();
    try (CoderProbe coder =
        CoderProbe.open(conf, code.codec(), code.dataUnits(), code.parityUnits())) {
      CodeTable table = coder.learn(code.cellBytes());
      FileLayout layout =
          new FileLayout(
              new StripeCode(Kernels.best(), table),
              code.cellBytes(),
              session.groups().stream()
                  .map(group -> new FileLayout.Group(group.offsetBytes(), group.lengthBytes()))
                  .toList());
      for (int codewordBytes : layout.codewordLengths()) {
        coder.require(table, codewordBytes);
      }
      return layout;
    }
  }

  private static void requireChannel(Configuration conf) throws IOException {
    try {
      TransferProtection.require(
          conf.get("dfs.data.transfer.protection"),
          conf.getBoolean("dfs.encrypt.data.transfer", false));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** For people who look at the list of sessions. */
  private static String clientName() {
    return NetUtils.getHostname() + " pid " + ProcessHandle.current().pid();
  }

  private static void giveBack(SessionHolder holder) {
    try {
      holder.close();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "A session that is not used ends with its lease only: " + e);
    }
  }

  private static DistributedFileSystem hdfs(FileSystem fs, Path path) throws IOException {
    FileSystem inner = fs;
    while (inner instanceof FilterFileSystem filter) {
      inner = filter.getRawFileSystem();
    }
    if (inner instanceof DistributedFileSystem hdfs) {
      return hdfs;
    }
    throw new IOException(
        Refusal.to("update a file in place")
            .value("fileSystem", inner == null ? "none" : inner.getClass().getName())
            .expected("HDFS, or a FilterFileSystem around it")
            .where("file", path)
            .message());
  }
}
