/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.format;

import io.hdfsparity.core.store.AtomicFiles;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which DataNodes ever were RAIDP's: file {@value #NAME} beside the image of a NameNode, replaced
 * as a whole when there is one more. It is no map of what they hold, which they report.
 *
 * <pre>
 *   payload, version 1
 *   text   clusterId
 *   int32  count
 *   text   nodeUuid, count times, sorted
 * </pre>
 *
 * @param clusterId HDFS cluster id
 * @param nodeUuids DataNode ids
 */
public record NodesFile(String clusterId, Set<String> nodeUuids) {
  /** Name in the directory of the NameNode. */
  public static final String NAME = "raidp-nodes";

  static final String MAGIC = "RAIDPNDS";
  static final int VERSION = 1;
  private static final int MAX_PAYLOAD_BYTES = 1 << 24;

  public NodesFile {
    nodeUuids = Set.copyOf(nodeUuids);
  }

  /** Bytes of the file. */
  public byte[] encode() {
    return IdentityCodec.encode(
        MAGIC,
        VERSION,
        out -> {
          IdentityCodec.writeText(out, clusterId);
          out.writeInt(nodeUuids.size());
          for (String uuid : new TreeSet<>(nodeUuids)) {
            IdentityCodec.writeText(out, uuid);
          }
        });
  }

  /**
   * Reads the file.
   *
   * @throws IdentityFileException by name, when it is not as it should be
   * @throws java.nio.file.NoSuchFileException when there is none
   */
  public static NodesFile read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    DataInputStream in = IdentityCodec.decode(file, MAGIC, VERSION, VERSION, MAX_PAYLOAD_BYTES);
    String clusterId = IdentityCodec.readText(in);
    int count = in.readInt();
    Set<String> uuids = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      uuids.add(IdentityCodec.readText(in));
    }
    return new NodesFile(clusterId, uuids);
  }

  /** Stores it durably. */
  public void write(Path directory) throws IOException {
    AtomicFiles.replace(directory.resolve(NAME), encode());
  }
}
