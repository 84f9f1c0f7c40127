/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import io.hdfsparity.bridge.guard.CallerAbilities;
import io.hdfsparity.caso.fs.PartPlan;
import io.hdfsparity.caso.fs.PartTasks;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Compares a part of a file with its copy, until a byte differs. */
public final class CompareMapper extends Mapper<NullWritable, Step, NullWritable, NullWritable> {
  @Override
  public void run(Context context) throws IOException, InterruptedException {
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.ORDERS)) {
      compare(context);
    }
  }

  private static void compare(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    PartTasks tasks = JobKeys.tasks(context);
    try (PartTasks.Comparison comparison =
        tasks.comparison(PartPlan.decodeIdentity(conf.get(JobKeys.COPY, "")))) {
      boolean isSame = true;
      while (isSame && context.nextKeyValue()) {
        Step step = context.getCurrentValue();
        isSame = comparison.isSame(step.from(), step.to());
      }
    }
  }
}
