/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.adoption.AdoptionGoal;
import io.hdfsparity.raidp.adoption.AdoptionProgress;
import io.hdfsparity.raidp.adoption.FileRun;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adoptions, surveys and releases that run, one at a time for a path and goal, and the last words
 * of those that are over. All memory: what asks for one that is gone starts it again. Thread-safe;
 * time is passed in.
 */
final class Adoptions {
  private static final Logger LOG = LoggerFactory.getLogger(Adoptions.class);
  private static final int MAX_RUNS = 8;
  private static final long KEPT_MS = 10 * 60_000;
  private static final int MAX_KEPT = 64;

  private final Map<Key, Run> runs = new LinkedHashMap<>();

  private record Key(String path, AdoptionGoal goal) {}

  private static final class Run {
    private final FileRun files;
    private long overMs = -1;

    Run(FileRun files) {
      this.files = files;
    }
  }

  /** Makes a run that has not begun. */
  @FunctionalInterface
  interface Maker {
    FileRun make() throws IOException;
  }

  /**
   * Starts a run, unless one is running.
   *
   * @return whether one was running
   * @throws IOException also if too many are running
   */
  synchronized boolean start(String path, AdoptionGoal goal, Maker maker) throws IOException {
    Key key = new Key(path, goal);
    Run known = runs.get(key);
    if (known != null && known.overMs < 0) {
      return true;
    }
    if (runs.values().stream().filter(run -> run.overMs < 0).count() >= MAX_RUNS) {
      throw new IOException(
          ErrorMessage.to("look at files")
              .value("runs", MAX_RUNS)
              .value("path", path)
              .expected("fewer at once; wait until one is over, or name a directory above")
              .message());
    }
    Run run = new Run(maker.make());
    runs.remove(key);
    runs.put(key, run);
    return false;
  }

  /** How far it is; empty: there is none, or it is gone. */
  synchronized Optional<AdoptionProgress> progress(String path, AdoptionGoal goal) {
    return Optional.ofNullable(runs.get(new Key(path, goal))).map(run -> run.files.progress());
  }

  /** Goes on with each, where no time passes meanwhile. */
  void round(long nowMs) {
    round(() -> nowMs);
  }

  /** Goes on with each. Calls DataNodes. */
  void round(LongSupplier clockMs) {
    for (Map.Entry<Key, Run> each : unfinished()) {
      Run run = each.getValue();
      try {
        run.files.round(clockMs);
        if (run.files.progress().over()) {
          finished(each.getKey(), run, clockMs.getAsLong());
        }
      } catch (RuntimeException | AssertionError e) {
        LOG.error("The run over {} failed", each.getKey(), e);
        forget(each.getKey(), run);
      }
    }
    forgetOld(clockMs.getAsLong());
  }

  private synchronized List<Map.Entry<Key, Run>> unfinished() {
    return runs.entrySet().stream()
        .filter(each -> each.getValue().overMs < 0)
        .map(Map.Entry::copyOf)
        .toList();
  }

  private synchronized void finished(Key key, Run run, long nowMs) {
    run.overMs = nowMs;
    LOG.info("The run over {} is over: {}", key, run.files.progress());
  }

  private synchronized void forget(Key key, Run run) {
    runs.remove(key, run);
  }

  private synchronized void forgetOld(long nowMs) {
    runs.values().removeIf(run -> run.overMs >= 0 && nowMs - run.overMs > KEPT_MS);
    while (runs.size() > MAX_KEPT) {
      Key oldest =
          runs.entrySet().stream()
              .filter(each -> each.getValue().overMs >= 0)
              .findFirst()
              .orElseThrow()
              .getKey();
      runs.remove(oldest);
    }
  }

  /** This NameNode is not active: another one has to be asked. */
  synchronized void forgetAll() {
    runs.clear();
  }
}
