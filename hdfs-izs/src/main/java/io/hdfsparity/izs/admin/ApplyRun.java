/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.swap.SwapRefusal;
import io.hdfsparity.izs.apply.ApplyItem;
import io.hdfsparity.izs.apply.MoveRefusal;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.StorageForm;
import io.hdfsparity.izs.mapping.StorageForm.Coded;
import io.hdfsparity.izs.mapping.StorageForm.Replicated;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InodePaths;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Carries advice out: level changes in calls of many files, replication one by one, copies by
 * {@link Moves}. For one command; not thread-safe.
 */
final class ApplyRun {
  private final DistributedFileSystem fs;
  private final LevelManagers managers;
  private final Moves moves;
  private final PairCheck pairs;
  private final StaleReaders staleReaders;
  private final ProtectedCopies copies;
  private final ApplyReport report;
  private final int batchFiles;
  private final Map<Integer, List<Advice>> levels = new HashMap<>();

  ApplyRun(
      DistributedFileSystem fs,
      LevelManagers managers,
      Moves moves,
      PairCheck pairs,
      StaleReaders staleReaders,
      ProtectedCopies copies,
      ApplyReport report,
      int batchFiles) {
    this.fs = fs;
    this.managers = managers;
    this.moves = moves;
    this.pairs = pairs;
    this.staleReaders = staleReaders;
    this.copies = copies;
    this.report = report;
    this.batchFiles = batchFiles;
  }

  /**
   * Does what is advised, now or soon.
   *
   * @throws IOException when the run cannot go on
   */
  void take(Advice advice) throws IOException {
    StorageForm form = advice.form().orElse(advice.file().form());
    switch (advice.verdict()) {
      case KEEP -> keep(advice);
      case UNDECIDED, INVALID_IMPORTANCE -> report.leave(ApplyItem.of(advice), advice.why());
      case SET_REPLICATION -> setReplication(advice, (Replicated) form);
      case SET_LEVEL -> addLevel(advice, ((Coded) form).parity());
      case REWRITE -> rewrite(advice);
    }
  }

  private void rewrite(Advice advice) throws IOException {
    Optional<Refusal> refusal = staleReaders.refusal(advice);
    if (refusal.isPresent()) {
      report.refuse(ApplyItem.of(advice), refusal.get());
    } else {
      copies.prepareFor(advice);
      moves.take(advice);
    }
  }

  private void keep(Advice advice) throws IOException {
    Optional<Refusal> refusal = pairs.refusal(advice);
    if (refusal.isPresent()) {
      report.refuse(ApplyItem.of(advice), refusal.get());
    } else {
      report.leave(ApplyItem.of(advice), advice.why());
    }
  }

  private void setReplication(Advice advice, Replicated form) throws IOException {
    String path = advice.file().path();
    try {
      // By its path, another file could have been put there just now.
      Path byInode = new Path(InodePaths.path(advice.file().inodeId()));
      if (!fs.setReplication(byInode, (short) form.copies())) {
        report.refuse(
            ApplyItem.of(advice),
            SwapRefusal.CHANGED.because("replicated", false, "a file that is replicated", path));
        return;
      }
    } catch (FileNotFoundException e) {
      report.refuse(ApplyItem.of(advice), gone(path));
      return;
    } catch (QuotaExceededException e) {
      report.refuse(
          ApplyItem.of(advice),
          SwapRefusal.QUOTA.because("quota", String.valueOf(e.getMessage()), "room", path));
      return;
    } catch (RemoteException e) {
      // The NameNode has answered, so the next file may do: too many copies, for example.
      report.refuse(
          ApplyItem.of(advice),
          MoveRefusal.FAILED.because(
              "replication", form.copies() + " (" + e.getMessage() + ")", "no error", path));
      return;
    }
    report.change(ApplyItem.of(advice), 0);
  }

  private static Refusal gone(String path) {
    return SwapRefusal.CHANGED.because("found", "nothing", "a file", path);
  }

  private void addLevel(Advice advice, int level) throws IOException {
    List<Advice> batch = levels.computeIfAbsent(level, unused -> new ArrayList<>());
    batch.add(advice);
    if (batch.size() == batchFiles) {
      setLevels(level, batch);
    }
  }

  private void setLevels(int level, List<Advice> batch) throws IOException {
    while (!batch.isEmpty()) {
      List<String> paths =
          batch.stream().map(each -> InodePaths.path(each.file().inodeId())).toList();
      List<FileOutcome> outcomes = managers.setLevel(level, paths);
      for (int i = 0; i < outcomes.size(); i++) {
        ApplyItem item = ApplyItem.of(batch.get(i));
        Optional<Refusal> refusal = outcomes.get(i).refusal();
        if (refusal.isPresent()) {
          report.refuse(item, refusal.get());
        } else {
          report.change(item, 0);
        }
      }
      batch.subList(0, outcomes.size()).clear();
    }
  }

  /** Waits for all that was taken. */
  void finish() throws IOException {
    for (Map.Entry<Integer, List<Advice>> each : levels.entrySet()) {
      setLevels(each.getKey(), each.getValue());
    }
    moves.finish();
  }
}
