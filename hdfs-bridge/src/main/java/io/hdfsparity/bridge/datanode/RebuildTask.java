/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.util.DataChecksum;

/**
 * One order of the NameNode to rebuild units of a block group, and the targets that take them.
 *
 * <p>Sequence: read something, so that the checksum is known; {@link #openTargets}; for each piece,
 * in order, {@link #targetBuffers}, fill them, {@link #send}. Not thread-safe, but for {@link
 * #countRead}, {@link #allocate} and {@link #free}, and for what does not change.
 */
public interface RebuildTask {
  ErasureCodingPolicy policy();

  /** The whole group; its length is that of the data. */
  ExtendedBlock blockGroup();

  /** The internal block of a unit. */
  ExtendedBlock block(int unit);

  /** Where units that may be read are, by unit. Busy nodes are not among them. */
  Map<Integer, DatanodeInfo> sources();

  /** Units to rebuild, ascending, each with at least one byte. */
  List<Integer> targetUnits();

  /** Where the DataNode of a source listens. */
  InetSocketAddress address(DatanodeInfo source);

  /** Whether the operator asked for rebuilt bytes to be verified before they are sent. */
  boolean isValidated();

  /** A direct buffer of HDFS's pool, cleared, with at least that capacity; what it holds is old. */
  ByteBuffer allocate(int lengthBytes);

  /** Gives a buffer back that nothing uses any more. */
  void free(ByteBuffer buffer);

  /** Counts bytes of helpers. */
  void countRead(boolean isLocal, long lengthBytes);

  /** Asks the target nodes to take blocks. At least one does. */
  void openTargets(DataChecksum checksum, int pieceBytes) throws IOException;

  /** Units whose targets still take bytes. All, before {@link #openTargets}. */
  List<Integer> liveTargets();

  /**
   * Where to put the next piece: one buffer each of {@link #liveTargets}, from position 0 to limit.
   *
   * @param lengthBytes at most {@code pieceBytes}
   */
  ByteBuffer[] targetBuffers(int lengthBytes);

  /**
   * Sends the piece, without what lies behind the end of a target's block. At least one target
   * takes it.
   */
  void send(int lengthBytes) throws IOException;
}
