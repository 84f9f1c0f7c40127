/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code hdfs ecupdate -nbd} in a process of its own, which ends with the cluster at the latest.
 * Its output is in {@code nbd.log} among the logs of the cluster. Immutable, thread-safe.
 */
public final class BlockDeviceServer implements Closeable {
  private static final Pattern URI = Pattern.compile("bytes at (\\S+)");
  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
  private static final long END_SECONDS = 90;

  private final Process process;
  private final String uri;

  private BlockDeviceServer(Process process, String uri) {
    this.process = process;
    this.uri = uri;
  }

  /**
   * Starts a server at a free port of 127.0.0.1, and waits until it serves.
   *
   * @param cluster that takes updates, running
   * @param path of the file
   * @param options of the command, beyond the port and how long it waits for the file
   * @throws IOException when it does not serve; with what it has printed
   */
  public static BlockDeviceServer start(LocalCluster cluster, String path, String... options)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-nbd", path, "-port", "0", "-wait", "2m"));
    arguments.addAll(List.of(options));
    return start(cluster, arguments);
  }

  /**
   * Executes a command that serves, and waits until it does.
   *
   * @param cluster that takes updates, running
   * @param arguments of {@code hdfs ecupdate}: {@code -nbd}, and what follows it
   * @throws IOException when it does not serve; with what it has printed
   */
  public static BlockDeviceServer start(LocalCluster cluster, List<String> arguments)
      throws IOException {
    ClusterPaths paths = new ClusterPaths(cluster.dir());
    Path log = paths.logDir().resolve("nbd.log");
    Process process =
        new ClientJvm(cluster.spec(), paths)
            .process("nbd", List.of("-Xmx512m"), EcUpdateAdmin.class.getName(), arguments)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean isServing = false;
    try {
      Await.until("serve a block device", START_TIMEOUT, () -> missing(process, log));
      isServing = true;
      return new BlockDeviceServer(process, uri(log).orElseThrow());
    } finally {
      if (!isServing) {
        process.destroyForcibly();
      }
    }
  }

  private static Optional<String> missing(Process process, Path log) throws IOException {
    if (uri(log).isPresent()) {
      return Optional.empty();
    }
    if (!process.isAlive()) {
      throw new IOException("The server of block devices has ended: " + Files.readString(log));
    }
    return Optional.of("it has not printed its URI, see " + log);
  }

  private static Optional<String> uri(Path log) throws IOException {
    Matcher matcher = URI.matcher(Files.readString(log));
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** What clients connect to. */
  public String uri() {
    return uri;
  }

  /**
   * Terminates it (SIGTERM), and waits for its end; nothing if it has ended.
   *
   * @throws IOException when it does not end in time; it is killed then
   */
  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(
            "Cannot end the server of block devices: seconds="
                + END_SECONDS
                + ", expected fewer; it was killed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a server of block devices was ended");
    } finally {
      process.destroyForcibly();
    }
  }
}
