/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.localcluster.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;

/** What is checked of a cluster that was healed, besides the history. Used by one thread. */
final class LastChecks {
  private static final Duration FSCK_TIMEOUT = Duration.ofMinutes(5);

  private final Site site;
  private final List<String> right = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();

  LastChecks(Site site) {
    this.site = site;
  }

  /** Runs all; reads of all data are in the history. */
  void run(List<Workload> workloads) {
    for (Workload workload : workloads) {
      attempt("read all", workload::readAll);
      attempt("verify", () -> workload.verify().ifPresent(right::add));
    }
    attempt("hdfs fsck", this::fsck);
  }

  /** What was found to be right. */
  List<String> right() {
    return List.copyOf(right);
  }

  /** What was found to be wrong, or could not be checked. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  private interface Check {
    void run() throws IOException, Workload.WrongException;
  }

  private void attempt(String what, Check check) {
    try {
      check.run();
    } catch (Workload.WrongException e) {
      wrong.add(e.getMessage());
    } catch (IOException e) {
      wrong.add("Cannot check the cluster: " + what + ": " + e.getMessage());
    }
  }

  /** Waits until HDFS misses no block; it may still be making copies. */
  private void fsck() throws IOException, Workload.WrongException {
    Optional<String> unhealthy =
        Await.ask(
            FSCK_TIMEOUT,
            () -> {
              String text = runFsck();
              return text.contains("is HEALTHY") ? Optional.empty() : Optional.of(text);
            });
    if (unhealthy.isPresent()) {
      throw new Workload.WrongException("hdfs fsck: " + unhealthy.get());
    }
    right.add("hdfs fsck: healthy");
  }

  private String runFsck() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      ToolRunner.run(new DFSck(site.conf(), stream), new String[] {"/torture"});
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("Cannot run fsck: " + e, e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
