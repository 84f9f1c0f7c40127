/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.izs.mapping.Advice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps the first files until it is known whether there are enough for a job. */
final class ThresholdMoves implements Moves {
  private final int jobFiles;
  private final Factory local;
  private final Factory job;
  private final List<Advice> waiting = new ArrayList<>();
  private Optional<Moves> chosen = Optional.empty();

  /** Makes what moves files. */
  @FunctionalInterface
  interface Factory {
    Moves make() throws IOException;
  }

  /**
   * @param jobFiles from so many files on a job moves them
   */
  ThresholdMoves(int jobFiles, Factory local, Factory job) {
    this.jobFiles = jobFiles;
    this.local = local;
    this.job = job;
  }

  @Override
  public void take(Advice advice) throws IOException {
    if (chosen.isPresent()) {
      chosen.get().take(advice);
      return;
    }
    waiting.add(advice);
    if (waiting.size() >= jobFiles) {
      choose(job);
    }
  }

  private void choose(Factory factory) throws IOException {
    Moves moves = factory.make();
    chosen = Optional.of(moves);
    for (Advice each : waiting) {
      moves.take(each);
    }
    waiting.clear();
  }

  @Override
  public void finish() throws IOException {
    if (chosen.isEmpty()) {
      choose(local);
    }
    chosen.orElseThrow().finish();
  }

  @Override
  public void close() throws IOException {
    if (chosen.isPresent()) {
      chosen.get().close();
    }
  }
}
