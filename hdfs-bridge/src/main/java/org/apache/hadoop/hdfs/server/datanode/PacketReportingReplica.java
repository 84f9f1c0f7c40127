/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import io.hdfsparity.bridge.Rethrow;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.apache.hadoop.util.DataChecksum;

/**
 * A replica being written that tells its volume's hooks after each packet.
 *
 * <p>Why here: BlockReceiver.receivePacket flushes data and checksums and then calls
 * setLastChecksumAndDataLen, on the thread that writes and before the packet is acknowledged by the
 * last node of the pipeline.
 *
 * <p>Reaches: nothing that is not public; lives beside its superclass. The hook's IOException
 * leaves a method that does not declare it; BlockReceiver.receiveBlock catches IOException around
 * the call. Checked for Hadoop 3.5.0. Thread-safe as far as its superclass is: one writer.
 */
public final class PacketReportingReplica extends ReplicaBeingWritten {
  private final String blockPoolId;
  private final VolumeHooks hooks;
  // Set by the writer when it opens the files: calls before that (append, conversion) carry no new
  // bytes.
  private volatile boolean open;

  /** Takes the place of {@code from}, which is not in a replica map yet. */
  public PacketReportingReplica(ReplicaBeingWritten from, String blockPoolId, VolumeHooks hooks) {
    super(from);
    this.blockPoolId = blockPoolId;
    this.hooks = hooks;
    // The superclass's copy constructor leaves the last checksum out.
    super.setLastChecksumAndDataLen(
        from.getBytesOnDisk(), from.getLastChecksumAndDataLen().getChecksum());
  }

  @Override
  public ReplicaOutputStreams createStreams(boolean create, DataChecksum requestedChecksum)
      throws IOException {
    ReplicaOutputStreams streams = super.createStreams(create, requestedChecksum);
    open = true;
    return streams;
  }

  @Override
  public void setLastChecksumAndDataLen(long dataLengthBytes, byte[] checksum) {
    if (open && dataLengthBytes > getBytesOnDisk()) {
      try {
        hooks.written(
            blockPoolId,
            getBlockId(),
            getGenerationStamp(),
            getBlockFile(),
            getMetaFile(),
            dataLengthBytes);
      } catch (IOException e) {
        throw Rethrow.unchecked(e);
      }
    }
    super.setLastChecksumAndDataLen(dataLengthBytes, checksum);
  }
}
