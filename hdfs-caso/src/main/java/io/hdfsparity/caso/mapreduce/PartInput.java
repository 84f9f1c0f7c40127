/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import io.hdfsparity.caso.fs.PartPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;

/**
 * Parts, a task each, from a list that the client has written. A task goes through its part in
 * steps, so that it is seen how far it is.
 */
public final class PartInput extends InputFormat<NullWritable, Step> {
  /** For Hadoop. */
  public PartInput() {}

  /** Writes the list, and has a job read it. */
  static void set(Configuration job, DistributedFileSystem fs, Path list, List<PartSplit> splits)
      throws IOException {
    try (FSDataOutputStream out = fs.createFile(list).overwrite(false).replicate().build()) {
      out.writeInt(splits.size());
      for (PartSplit split : splits) {
        split.write(out);
      }
    }
    job.set(JobKeys.PARTS, list.getName());
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    PartPlan plan = JobKeys.plan(context.getConfiguration());
    Path list = new Path(plan.folder(), context.getConfiguration().get(JobKeys.PARTS, ""));
    List<InputSplit> splits = new ArrayList<>();
    try (FSDataInputStream in = JobKeys.fileSystem(plan, context.getConfiguration()).open(list)) {
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        PartSplit split = new PartSplit();
        split.readFields(in);
        splits.add(split);
      }
    }
    return splits;
  }

  @Override
  public RecordReader<NullWritable, Step> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Steps();
  }

  private static final class Steps extends RecordReader<NullWritable, Step> {
    private long from;
    private long to;
    private long stepBytes = 1;
    private @Nullable Step current;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
      PartSplit part = (PartSplit) split;
      from = part.from();
      to = part.to();
      stepBytes = JobKeys.plan(context.getConfiguration()).stepBytes();
    }

    @Override
    public boolean nextKeyValue() {
      long at = current == null ? from : current.to();
      current = new Step(at, Math.min(at + stepBytes, to));
      return at < to;
    }

    @Override
    public NullWritable getCurrentKey() {
      return NullWritable.get();
    }

    @Override
    public Step getCurrentValue() {
      if (current == null) {
        throw new IllegalStateException("Cannot give a step: expected nextKeyValue() before");
      }
      return current;
    }

    @Override
    public float getProgress() {
      return current == null || to == from ? 0 : (float) (current.from() - from) / (to - from);
    }

    @Override
    public void close() {}
  }
}
