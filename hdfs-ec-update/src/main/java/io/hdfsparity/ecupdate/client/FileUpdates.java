/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.CoderProbe;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.channel.ClientLimits;
import io.hdfsparity.ecupdate.config.ChannelProtection;
import io.hdfsparity.ecupdate.config.ConfiguredCoder;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.OpeningProgram;
import io.hdfsparity.ecupdate.protocol.Purpose;
import io.hdfsparity.ecupdate.protocol.Sharing;
import io.hdfsparity.ecupdate.protocol.UpdateCode;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.updater.DegradedReader;
import io.hdfsparity.ecupdate.updater.FileLayout;
import io.hdfsparity.ecupdate.updater.SessionTerms;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/** Opens closed erasure-coded files of HDFS to change bytes in place. Thread-safe. */
public final class FileUpdates {
  private static final System.Logger LOG = System.getLogger(FileUpdates.class.getName());
  private static final int MAX_CELL_BYTES = 1 << 20;

  /** May be missing. */
  private static final int ANY_UNITS = 255;

  private FileUpdates() {}

  /**
   * Opens a closed erasure-coded file for in-place updates: asks the session manager of its
   * NameNode for a session, as the current user. The session is renewed until the updater is
   * closed, which also closes all connections. Positions are those of the file's own order, also
   * where it is stored in another one (hdfs-caso).
   *
   * @param fs a DistributedFileSystem, or a FilterFileSystem around one; not closed, and need not
   *     stay open
   * @param path of the file, absolute or relative to the working directory of {@code fs}
   * @param options how the updater works
   * @throws java.io.FileNotFoundException if there is no such file
   * @throws org.apache.hadoop.security.AccessControlException if the user may not read and write it
   * @throws IOException if {@code fs} is no HDFS, the session is refused (the message has kind,
   *     reason and remedy), the configuration asks for a protected update channel and the cluster
   *     has no block tokens, no session manager answers, or the file is stored in an order that
   *     nobody here can tell
   * @throws IllegalArgumentException if the options do not survive the failures that are demanded,
   *     or the cache cannot hold a stripe
   */
  public static StripedFileUpdater open(FileSystem fs, Path path, UpdaterOptions options)
      throws IOException {
    return open(fs, path, options, SessionSpec.shared(Purpose.WRITE));
  }

  /**
   * As {@link #open}, for a program that writes nothing: reads, and completes or undoes what others
   * have left unfinished. Once this is closed, another program may continue in another session, as
   * {@link #openExclusive(FileSystem, Path, UpdaterOptions, OpeningProgram)} says.
   */
  public static StripedFileUpdater openReadOnly(FileSystem fs, Path path, UpdaterOptions options)
      throws IOException {
    return open(fs, path, options, SessionSpec.shared(Purpose.READ));
  }

  /**
   * As {@link #open}, for one program alone: no other session has the file open, and when this
   * returns no DataNode executes a request of one that has ended. Sessions that are opened later
   * are refused while this one is open.
   *
   * @throws IOException as for {@link #open}, if somebody has the file open, or if the NameNode
   *     does not know of such sessions
   */
  public static StripedFileUpdater openExclusive(FileSystem fs, Path path, UpdaterOptions options)
      throws IOException {
    return open(fs, path, options, SessionSpec.exclusive(Optional.empty()));
  }

  /**
   * As {@link #openExclusive(FileSystem, Path, UpdaterOptions)}, for a program that may make its
   * requests again in another session, when this one is over.
   *
   * @param program the same number each time
   * @throws OpenedSinceException if it continues, and another program has opened the file since it
   *     did
   * @throws IOException also if the NameNode does not remember programs
   */
  public static StripedFileUpdater openExclusive(
      FileSystem fs, Path path, UpdaterOptions options, OpeningProgram program) throws IOException {
    return open(fs, path, options, SessionSpec.exclusive(Optional.of(program)));
  }

  /** What kind of session a file is opened in; as in {@link OpenRequest}. */
  private record SessionSpec(
      int missingUnits, Sharing sharing, Optional<OpeningProgram> program, Purpose purpose) {
    static SessionSpec shared(Purpose purpose) {
      return new SessionSpec(0, Sharing.SHARED, Optional.empty(), purpose);
    }

    static SessionSpec exclusive(Optional<OpeningProgram> program) {
      return new SessionSpec(0, Sharing.EXCLUSIVE, program, Purpose.WRITE);
    }

    static SessionSpec degraded() {
      return new SessionSpec(ANY_UNITS, Sharing.SHARED, Optional.empty(), Purpose.READ);
    }

    OpenRequest request(String absolute) {
      return new OpenRequest(absolute, clientName(), missingUnits, sharing, program, purpose);
    }
  }

  private static StripedFileUpdater open(
      FileSystem fs, Path path, UpdaterOptions options, SessionSpec spec) throws IOException {
    Configuration conf = configuration(hdfs(fs, path));
    Bounds.Failures demanded = SurviveOptions.of(conf);
    RenewalOptions anew = RenewalOptions.of(conf);
    SessionHolder holder = hold(fs, path, conf, spec);
    boolean isOpen = false;
    try {
      requireGranted(holder.known().session(), spec);
      // Of the session's inode, whatever the path leads to by now: an inode never changes its
      // order.
      ByteOrder order = StoredOrders.of(hdfs(fs, path), holder.known().session());
      GroupRenewal renewal =
          new GroupRenewal(
              holder, opener(hdfs(fs, path).getUri(), conf), options.operationMs(), anew);
      StripedFileUpdater updater =
          open(conf, holder, renewal, order, terms(holder, demanded, spec.purpose()), options);
      isOpen = true;
      return updater;
    } finally {
      if (!isOpen) {
        giveBack(holder);
      }
    }
  }

  /**
   * Opens a file of which units are missing, to read what was written in place: for when a program
   * has died in the middle of writes and a DataNode is lost, so that HDFS cannot decode it. Who may
   * write the file may do so.
   *
   * @param path as for {@link #open}
   * @throws IOException as for {@link #open}, but for units that are missing
   */
  public static DegradedReader openDegraded(FileSystem fs, Path path) throws IOException {
    Configuration conf = configuration(hdfs(fs, path));
    SessionHolder holder = hold(fs, path, conf, SessionSpec.degraded());
    boolean isOpen = false;
    try {
      long operationMs = UpdaterOptions.standard().operationMs();
      ByteOrder order = StoredOrders.of(hdfs(fs, path), holder.known().session());
      FileLayout layout = layout(conf, holder.known().session());
      ChannelClient channels = channels(conf, holder, layout);
      DegradedReader reader =
          new DegradedReader(
              new DegradedSession(holder, layout, new Admission(channels, operationMs), channels),
              order,
              channels,
              operationMs);
      isOpen = true;
      return reader;
    } finally {
      if (!isOpen) {
        giveBack(holder);
      }
    }
  }

  private static void requireGranted(UpdateSession session, SessionSpec spec) throws IOException {
    Optional<OpeningProgram> program = spec.program();
    boolean isRemembered =
        program.isEmpty() || session.program().equals(OptionalLong.of(program.get().number()));
    if (session.sharing() != spec.sharing() || !isRemembered) {
      throw new IOException(
          ErrorMessage.to("update a file in place")
              .value("session", session.sharing())
              .value("program", isRemembered ? "remembered" : "not remembered")
              .expected(spec.sharing() + ", remembered: update the software of the NameNodes")
              .where("file", session.file().path())
              .message());
    }
  }

  private static SessionHolder hold(FileSystem fs, Path path, Configuration conf, SessionSpec spec)
      throws IOException {
    SessionManagers managers = SessionManagers.of(conf, hdfs(fs, path));
    String absolute = fs.makeQualified(path).toUri().getPath();
    SessionHolder holder =
        SessionHolder.open(SessionHolder.asCurrentUser(managers), spec.request(absolute));
    if (ChannelProtection.isRequired(conf) && !hasTokens(holder.known().session())) {
      giveBack(holder);
      throw new IOException(ChannelProtection.needsTokens());
    }
    return holder;
  }

  /** Of a file system; data transfer is encrypted also where only the NameNode says so. */
  private static Configuration configuration(DistributedFileSystem hdfs) throws IOException {
    Configuration conf = new Configuration(hdfs.getConf());
    if (hdfs.getServerDefaults(new Path("/")).getEncryptDataTransfer()) {
      conf.setBoolean("dfs.encrypt.data.transfer", true);
    }
    return conf;
  }

  private static boolean hasTokens(UpdateSession session) {
    return session.groups().stream()
        .flatMap(group -> group.units().stream())
        .allMatch(unit -> unit.token().isPresent());
  }

  private static ChannelClient channels(
      Configuration conf, SessionHolder holder, FileLayout layout) {
    return new ChannelClient(
        ClientLimits.standard(),
        new ReplicaTokens(holder, layout.code().table().crc(), ChannelProtection.isRequired(conf)));
  }

  private static StripedFileUpdater open(
      Configuration conf,
      SessionHolder holder,
      GroupRenewal renewal,
      ByteOrder order,
      SessionTerms terms,
      UpdaterOptions options)
      throws IOException {
    UpdateSession session = holder.known().session();
    FileLayout layout = layout(conf, session);
    ChannelClient channels = channels(conf, holder, layout);
    boolean isOpen = false;
    try {
      StripedFileUpdater updater =
          StripedFileUpdater.open(
              new NameNodeSession(
                  holder,
                  layout,
                  terms,
                  new Admission(channels, options.operationMs()),
                  renewal,
                  channels,
                  options.operationMs()),
              order,
              AccessLogs.of(conf, session.file().inodeId()),
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

  private static SessionTerms terms(
      SessionHolder holder, Bounds.Failures demanded, Purpose purpose) {
    UpdateSession session = holder.known().session();
    return new SessionTerms(
        session.id().number(),
        demanded,
        session.lease().renewEveryMs(),
        session.lease().leaseMs(),
        purpose == Purpose.READ ? SessionTerms.Writes.REFUSED : SessionTerms.Writes.ALLOWED);
  }

  /** The code is asked of the coder, for every length of a codeword that the file has. */
  private static FileLayout layout(Configuration conf, UpdateSession session) throws IOException {
    UpdateCode code = session.file().code();
    if (code.cellBytes() > MAX_CELL_BYTES) {
      throw new IOException(
          ErrorMessage.to("update a file in place")
              .value("cellBytes", code.cellBytes())
              .expected("<= " + MAX_CELL_BYTES)
              .where("file", session.file().path())
              .message());
    }
    try (CoderProbe coder =
        ConfiguredCoder.probe(conf, code.codec(), code.dataUnits(), code.parityUnits())) {
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

  /** For people who look at the list of sessions. */
  private static String clientName() {
    String name = NetUtils.getHostname() + " pid " + ProcessHandle.current().pid();
    return name.substring(Math.max(0, name.length() - OpenRequest.MAX_CLIENT));
  }

  private static void giveBack(SessionHolder holder) {
    try {
      holder.close();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "A session that is not used ends with its lease only: " + e);
    }
  }

  /** A file system of its own, as the current user: that of the caller need not stay open. */
  private static GroupRenewal.Opener opener(URI uri, Configuration conf) throws IOException {
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    return () -> {
      try {
        return user.doAs(
            (PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(uri, conf));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Cannot open " + uri + ": interrupted");
      }
    };
  }

  /** Without what lies around it. */
  static DistributedFileSystem hdfs(FileSystem fs, Path path) throws IOException {
    FileSystem inner = fs;
    while (inner instanceof FilterFileSystem filter) {
      inner = filter.getRawFileSystem();
    }
    if (inner instanceof DistributedFileSystem hdfs) {
      return hdfs;
    }
    throw new IOException(
        ErrorMessage.to("update a file in place")
            .value("fileSystem", inner == null ? "none" : inner.getClass().getName())
            .expected("HDFS, or a FilterFileSystem around it")
            .where("file", path)
            .message());
  }
}
