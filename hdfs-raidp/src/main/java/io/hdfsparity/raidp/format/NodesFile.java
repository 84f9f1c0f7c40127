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
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which DataNodes ever were RAIDP's, and where: file {@value #NAME} beside the image of a NameNode,
 * replaced as a whole when there is one more. It is no map of what they hold, which they report.
 *
 * <pre>
 *   payload, version 2
 *   text   clusterId
 *   int32  count
 *   count times, sorted by nodeUuid
 *     text   nodeUuid
 *     text   ipAddress
 * </pre>
 *
 * @param clusterId HDFS cluster id
 * @param addresses IP address at which the DataNode has registered with HDFS, by DataNode id
 */
public record NodesFile(String clusterId, Map<String, String> addresses) {
  /** Name in the directory of the NameNode. */
  public static final String NAME = "raidp-nodes";

  static final String MAGIC = "RAIDPNDS";
  static final int VERSION = 2;
  private static final int MAX_PAYLOAD_BYTES = 1 << 24;

  public NodesFile {
    addresses = Map.copyOf(addresses);
  }

  /** Bytes of the file. */
  public byte[] encode() {
    return IdentityCodec.encode(
        MAGIC,
        VERSION,
        out -> {
          IdentityCodec.writeText(out, clusterId);
          out.writeInt(addresses.size());
          for (Map.Entry<String, String> node : new TreeMap<>(addresses).entrySet()) {
            IdentityCodec.writeText(out, node.getKey());
            IdentityCodec.writeText(out, node.getValue());
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
    Map<String, String> addresses = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String uuid = IdentityCodec.readText(in);
      addresses.put(uuid, IdentityCodec.readText(in));
    }
    return new NodesFile(clusterId, addresses);
  }

  /** Stores it durably. */
  public void write(Path directory) throws IOException {
    AtomicFiles.replace(directory.resolve(NAME), encode());
  }
}
