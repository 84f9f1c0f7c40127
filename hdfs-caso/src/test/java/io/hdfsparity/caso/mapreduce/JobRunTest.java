/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On Hadoop's job runner for one process. */
class JobRunTest {
  private static final CountDownLatch RUNS = new CountDownLatch(1);

  @TempDir Path folder;

  /** Ends when it is killed only. */
  public static final class Endless extends Mapper<LongWritable, Text, NullWritable, NullWritable> {
    @Override
    public void run(Context context) throws InterruptedException {
      RUNS.countDown();
      new CountDownLatch(1).await();
    }
  }

  @Test
  void anInterruptKillsTheJob() throws Exception {
    Path input = Files.writeString(folder.resolve("in"), "x\n");
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "file:///");
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.setInt("mapreduce.client.completion.pollinterval", 50);
    Job job = Job.getInstance(conf, "endless");
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
    job.setMapperClass(Endless.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    AtomicReference<IOException> end = new AtomicReference<>();
    Thread client =
        new Thread(
            () -> {
              try {
                JobRun.run(job, "wait", mapped -> {});
              } catch (IOException e) {
                end.set(e);
              }
            });
    client.start();
    RUNS.await();
    client.interrupt();
    client.join();
    assertThat(end.get()).isInstanceOf(InterruptedIOException.class);
    await().until(job::isComplete);
    assertThat(job.getStatus().getState()).isEqualTo(JobStatus.State.KILLED);
  }
}
