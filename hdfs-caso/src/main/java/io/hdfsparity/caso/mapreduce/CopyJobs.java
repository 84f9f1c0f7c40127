/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.caso.fs.PartPlan;
import io.hdfsparity.caso.fs.PartRunner;
import io.hdfsparity.caso.layout.FileParts;
import io.hdfsparity.caso.placement.ParityForecast;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.security.TokenCache;

/**
 * Writes and compares the parts of a copy by MapReduce: two jobs of maps, one for each part. Tasks
 * run as the caller, who is a superuser of HDFS. Immutable, thread-safe.
 */
public final class CopyJobs implements PartRunner {
  private final Configuration conf;

  /**
   * @param conf of the cluster
   */
  public CopyJobs(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public void write(PartPlan plan, List<PartTask> tasks, LongConsumer wentBy) throws IOException {
    run(
        "write the parts of a copy",
        PartMapper.class,
        new Configuration(conf),
        plan,
        tasks,
        wentBy);
  }

  @Override
  public void compare(PartPlan plan, FileIdentity copy, LongConsumer wentBy) throws IOException {
    List<PartTask> tasks = new ArrayList<>();
    for (int part = 0; part < plan.parts().count(); part++) {
      tasks.add(new PartTask(part, new ParityForecast(new long[0])));
    }
    Configuration own = new Configuration(conf);
    own.set(JobKeys.COPY, PartPlan.encode(copy));
    Job job = run("compare a copy", CompareMapper.class, own, plan, tasks, wentBy);
    long compared = job.getCounters().findCounter(JobKeys.Count.BYTES).getValue();
    if (compared != plan.parts().lengthBytes()) {
      throw new IOException(
          ErrorMessage.to("compare a copy")
              .value("comparedBytes", compared)
              .expected(plan.parts().lengthBytes())
              .where("file", plan.source().path())
              .message());
    }
  }

  private static Job run(
      String doing,
      Class<? extends Mapper<NullWritable, Step, NullWritable, NullWritable>> mapper,
      Configuration own,
      PartPlan plan,
      List<PartTask> tasks,
      LongConsumer wentBy)
      throws IOException {
    DistributedFileSystem fs = JobKeys.fileSystem(plan, own);
    FileParts parts = plan.parts();
    List<PartSplit> splits =
        tasks.stream()
            .map(task -> new PartSplit(task, parts.from(task.part()), parts.to(task.part())))
            .toList();
    long bytes = splits.stream().mapToLong(PartSplit::getLength).sum();
    own.set(JobKeys.PLAN, plan.encode());
    PartInput.set(own, fs, new Path(plan.folder(), "list-" + UUID.randomUUID()), splits);
    Job job = Job.getInstance(own, "caso: " + doing);
    job.setJarByClass(CopyJobs.class);
    job.setInputFormatClass(PartInput.class);
    job.setMapperClass(mapper);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    TokenCache.obtainTokensForNamenodes(
        job.getCredentials(), new Path[] {new Path(fs.getUri())}, job.getConfiguration());
    AtomicLong reported = new AtomicLong();
    JobRun.run(
        job,
        doing,
        share -> {
          long now = (long) (share * bytes);
          wentBy.accept(now - reported.getAndSet(now));
        });
    return job;
  }
}
