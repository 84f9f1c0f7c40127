/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** {@code hdfs ecupdate -nbd} in a process of its own. */
final class NbdServerProcess implements AutoCloseable {
  private static final Duration LONG = Duration.ofMinutes(3);

  final int port = FreePorts.next();
  final Process process;
  private final Path log;

  /**
   * Starts.
   *
   * @param site configuration of the cluster; the log is written beside it
   */
  NbdServerProcess(Path site, String path, String... options) throws IOException {
    this(site, List.of(), path, options);
  }

  /** Starts with options of the JVM. */
  NbdServerProcess(Path site, List<String> jvm, String path, String... options) throws IOException {
    log = Files.createTempFile(site.getParent(), "server", ".log");
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(jvm);
    command.addAll(
        List.of(
            Program.class.getName(), site.toString(), "-nbd", path, "-port", String.valueOf(port)));
    command.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    // Nobody's tickets but those that it gets itself.
    builder.environment().put("KRB5CCNAME", site.resolveSibling("no-tickets").toString());
    process = builder.start();
  }

  /** Arguments as of the command, behind the configuration. */
  public static final class Program {
    private Program() {}

    public static void main(String[] args) {
      Configuration conf = new Configuration(false);
      conf.addResource(new org.apache.hadoop.fs.Path(args[0]));
      System.exit(
          new EcUpdateAdmin(conf, System.in, System.out, System.err)
              .run(Arrays.copyOfRange(args, 1, args.length)));
    }
  }

  String uri(String path) {
    return "nbd://127.0.0.1:" + port + "/" + path;
  }

  NbdServerProcess ready() {
    await("the server serves")
        .atMost(LONG)
        .until(
            () -> {
              assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
              return Files.readString(log).contains("bytes at nbd://");
            });
    return this;
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
  }
}
