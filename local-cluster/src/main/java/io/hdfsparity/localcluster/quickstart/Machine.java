/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;

import io.hdfsparity.localcluster.ClusterSpec;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LiveFolder;
import io.hdfsparity.localcluster.LstorPlace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/** What this machine has. */
final class Machine {
  private static final String LOOPBACK = "127.0.0.1";

  /** Not what a DataNode notes of a block for updates of it. */
  private static final Pattern BLOCK_FILE = Pattern.compile("blk_-?\\d+(_\\d+\\.meta)?");

  private Machine() {}

  /**
   * What a cluster needs and finds here.
   *
   * @param replicaBytes most bytes of replicas
   */
  static Room room(long replicaBytes, ClusterSpec spec, Path clusterDir) throws IOException {
    long lstorBytes = spec.mode().hasRaidp() ? LstorPlace.neededBytes(spec) : 0;
    return new Room(
        Daemon.of(spec).size(),
        replicaBytes,
        lstorBytes,
        LstorPlace.roomInMemory(lstorBytes),
        Files.getFileStore(clusterDir).getUsableSpace(),
        LstorPlace.availableMemoryBytes(),
        clusterDir.toString());
  }

  /**
   * Refuses a port that is in use, before anything that takes its time is done.
   *
   * @param port of the loopback interface, 0: none in particular
   */
  static void requireFree(int port) throws QuickstartException {
    if (port == 0) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(LOOPBACK, port));
    } catch (IOException e) {
      throw QuickstartException.input(
          e,
          "Cannot use the port: --http-port=%s on %s: %s, expected a port that is free and "
              + "that this user may take",
          port,
          LOOPBACK,
          firstLine(e));
    }
  }

  /**
   * Bytes of block and checksum files below a folder; files that go away meanwhile are not counted.
   */
  static long replicaBytes(Path dir) throws QuickstartException {
    return QuickstartException.attempt("Cannot count replicas", () -> sumOfReplicas(dir));
  }

  private static long sumOfReplicas(Path dir) throws IOException {
    AtomicLong bytes = new AtomicLong();
    LiveFolder.visit(
        dir,
        (file, attributes) -> {
          if (BLOCK_FILE.matcher(file.getFileName().toString()).matches()) {
            bytes.addAndGet(attributes.size());
          }
        });
    return bytes.get();
  }
}
