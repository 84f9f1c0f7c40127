/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.izs.apply.ApplyItem;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapreduce.MoveJob;
import java.io.IOException;

/** Moves by a MapReduce job, which begins when all files are known. */
final class JobMoves implements Moves {
  private final MoveJob job;
  private final ApplyReport report;

  JobMoves(MoveJob job, ApplyReport report) {
    this.job = job;
    this.report = report;
  }

  @Override
  public void take(Advice advice) throws IOException {
    job.take(ApplyItem.of(advice));
  }

  @Override
  public void finish() throws IOException {
    job.run(
        (item, result) -> {
          if (result.refusal().isPresent()) {
            report.refuse(item, result.refusal().get());
          } else {
            report.change(item, result.copiedBytes());
          }
        });
  }

  @Override
  public void close() throws IOException {
    job.close();
  }
}
