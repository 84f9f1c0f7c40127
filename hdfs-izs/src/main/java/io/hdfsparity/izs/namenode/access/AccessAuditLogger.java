/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import io.hdfsparity.izs.namenode.access.AccessEvent.Kind;
import java.net.InetAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.HdfsAuditLogger;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Takes accesses out of the NameNode's audit stream ({@code dfs.namenode.audit.loggers}; keep
 * {@code default} in that list, which the audit log itself needs).
 *
 * <p>Runs on the NameNode's handlers: it compares a word and puts an event into a queue, never
 * waits, does no I/O, and cannot fail. Every namesystem makes one, also those of the secondary
 * NameNode and of -format, so it does nothing until {@link AccessFeature} connects it. Thread-safe.
 */
public final class AccessAuditLogger extends HdfsAuditLogger {
  private static final String RAW = "/.reserved/raw";
  private volatile @Nullable AccessQueue queue;

  @Override
  public void initialize(Configuration conf) {
    // The plugin reads the configuration; a mistake in it must not keep the NameNode down.
  }

  void connect(AccessQueue to) {
    queue = to;
  }

  void disconnect() {
    queue = null;
  }

  @Override
  public void logAuditEvent(
      boolean succeeded,
      String userName,
      InetAddress addr,
      String cmd,
      String src,
      String dst,
      FileStatus stat,
      CallerContext callerContext,
      UserGroupInformation ugi,
      DelegationTokenSecretManager dtSecretManager) {
    note(succeeded, cmd, src, dst);
  }

  @Override
  public void logAuditEvent(
      boolean succeeded,
      String userName,
      InetAddress addr,
      String cmd,
      String src,
      String dst,
      FileStatus stat,
      UserGroupInformation ugi,
      DelegationTokenSecretManager dtSecretManager) {
    note(succeeded, cmd, src, dst);
  }

  private void note(
      boolean succeeded, @Nullable String cmd, @Nullable String src, @Nullable String dst) {
    AccessQueue to = queue;
    if (to == null || !succeeded || cmd == null || src == null) {
      return;
    }
    switch (cmd) {
      case "open", "create", "append", "truncate" -> offer(to, Kind.ACCESS, src, "");
      case "delete" -> offer(to, Kind.DELETE, src, "");
      case "rename" -> offer(to, Kind.RENAME, src, dst);
      default -> {
        // "rename (options=[...])"; FSNamesystem.renameTo
        if (cmd.startsWith("rename (")) {
          offer(to, Kind.RENAME, src, dst);
        }
      }
    }
  }

  private static void offer(AccessQueue to, Kind kind, String src, @Nullable String dst) {
    String path = plain(src);
    String other = dst == null || dst.isEmpty() ? "" : plain(dst);
    if (path.isEmpty() || kind == Kind.RENAME && other.isEmpty()) {
      return;
    }
    to.offer(new AccessEvent(kind, path, other));
  }

  /**
   * A path under which the history keeps a file; empty when there is none: inode ids, snapshots and
   * the root are not counted.
   */
  private static String plain(String path) {
    String plain = path.startsWith(RAW + "/") ? path.substring(RAW.length()) : path;
    while (plain.length() > 1 && plain.endsWith("/")) {
      plain = plain.substring(0, plain.length() - 1);
    }
    boolean counted =
        plain.length() > 1
            && plain.startsWith("/")
            && !plain.startsWith("/.reserved/")
            && !plain.contains("/.snapshot/");
    return counted ? plain : "";
  }
}
