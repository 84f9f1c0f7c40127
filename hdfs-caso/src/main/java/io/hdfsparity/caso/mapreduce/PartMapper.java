/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import io.hdfsparity.bridge.guard.CallerAbilities;
import io.hdfsparity.caso.fs.PartTasks;
import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Writes a part of a copy. */
public final class PartMapper extends Mapper<NullWritable, Step, NullWritable, NullWritable> {
  @Override
  public void run(Context context) throws IOException, InterruptedException {
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.ORDERS)) {
      copy(context);
    }
  }

  private static void copy(Context context) throws IOException, InterruptedException {
    PartTasks tasks = JobKeys.tasks(context);
    PartSplit split = (PartSplit) context.getInputSplit();
    try (PartTasks.Writer writer =
        tasks.writer(split.task(), context.getTaskAttemptID().toString())) {
      while (context.nextKeyValue()) {
        writer.write(context.getCurrentValue().to());
      }
      writer.commit();
    }
  }
}
