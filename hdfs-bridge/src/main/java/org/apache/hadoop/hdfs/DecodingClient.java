/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.bridge.client.GroupReader;
import io.hdfsparity.bridge.client.GroupReaderChoice;
import io.hdfsparity.bridge.guard.CallerAbilities;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.tracing.TraceScope;

/**
 * Hadoop's client whose two ways to open a file look at the file's policy first, and whose streams
 * fail when the file is written anew in another form while they are open. Where it asks for
 * locations, it states what it can do.
 *
 * <p>Reaches: DFSClient.open(String, int, boolean) and open(HdfsPathHandle, int, boolean), which
 * are overridden with what they do up to the private openInternal; checkOpen() and
 * newPathTraceScope(String, String), package-private. The other open methods call these two. And
 * getLocatedBlocks(String, long, long), by which the client and its streams ask for locations.
 * Checked for Hadoop 3.5.0. Thread-safe as its parent.
 */
final class DecodingClient extends DFSClient {
  private final GroupReaderChoice choice;
  private final Optional<String> ability;
  private final GroupForms forms = new GroupForms();

  /**
   * @param ability that is stated where locations are asked for
   */
  DecodingClient(
      URI nameNode,
      Configuration conf,
      FileSystem.Statistics statistics,
      GroupReaderChoice choice,
      Optional<String> ability)
      throws IOException {
    super(nameNode, conf, statistics);
    this.choice = choice;
    this.ability = ability;
  }

  /** To be closed after the call; null if nothing is stated. */
  private CallerAbilities.Statement state() {
    return ability.map(CallerAbilities::state).orElse(null);
  }

  @Override
  public DFSInputStream open(String src, int bufferBytes, boolean verifyChecksum)
      throws IOException {
    checkOpen();
    try (TraceScope ignored = newPathTraceScope("newDFSInputStream", src)) {
      return stream(getLocatedBlocks(src, 0), src, verifyChecksum);
    }
  }

  @Override
  public DFSInputStream open(HdfsPathHandle handle, int bufferBytes, boolean verifyChecksum)
      throws IOException {
    checkOpen();
    String src = handle.getPath();
    try (TraceScope ignored = newPathTraceScope("newDFSInputStream", src)) {
      HdfsLocatedFileStatus status = getLocatedFileInfo(src, true);
      handle.verify(status);
      return stream(status.getLocatedBlocks(), src, verifyChecksum);
    }
  }

  @Override
  public LocatedBlocks getLocatedBlocks(String src, long start, long lengthBytes)
      throws IOException {
    LocatedBlocks answer;
    try (CallerAbilities.Statement ignored = state()) {
      answer = super.getLocatedBlocks(src, start, lengthBytes);
    }
    forms.note(answer);
    return answer;
  }

  @Override
  public HdfsLocatedFileStatus getLocatedFileInfo(String src, boolean needBlockToken)
      throws IOException {
    try (CallerAbilities.Statement ignored = state()) {
      return super.getLocatedFileInfo(src, needBlockToken);
    }
  }

  @Override
  public DirectoryListing listPaths(String src, byte[] startAfter, boolean needLocation)
      throws IOException {
    try (CallerAbilities.Statement ignored = state()) {
      return super.listPaths(src, startAfter, needLocation);
    }
  }

  @Override
  public BatchedDirectoryListing batchedListPaths(
      String[] srcs, byte[] startAfter, boolean needLocation) throws IOException {
    try (CallerAbilities.Statement ignored = state()) {
      return super.batchedListPaths(srcs, startAfter, needLocation);
    }
  }

  /**
   * A stream of a file whose blocks are known.
   *
   * @param blocks null: there is no such file
   */
  DFSInputStream stream(LocatedBlocks blocks, String src, boolean verifyChecksum)
      throws IOException {
    if (blocks == null) {
      throw new IOException("Cannot open filename " + src);
    }
    forms.note(blocks);
    ErasureCodingPolicy policy = blocks.getErasureCodingPolicy();
    OpenedForm form = new OpenedForm(this, forms, src, policy);
    if (policy == null) {
      return new CheckedInputStream(this, src, verifyChecksum, blocks, form);
    }
    Optional<GroupReader> reader = choice.readerFor(policy);
    return reader.isPresent()
        ? new DecodingInputStream(this, src, verifyChecksum, policy, blocks, form, reader.get())
        : new CheckedStripedInputStream(this, src, verifyChecksum, policy, blocks, form);
  }
}
