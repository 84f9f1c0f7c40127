/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapreduce;

import io.hdfsparity.izs.apply.ApplyItem;
import io.hdfsparity.izs.apply.MoveResult;
import io.hdfsparity.izs.config.ApplyKey;
import io.hdfsparity.izs.config.ApplyOptions;
import io.hdfsparity.izs.transfer.WorkFolder;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves files as a MapReduce job without reduces. As files are taken they are written into as many
 * lists as there are maps, each into the one with the fewest bytes so far, as DistCp's splits of
 * uniform size. Lists and results lie in a directory of the work folder.
 *
 * <p>On a cluster secured by Kerberos its maps have the delegation token of the file system that
 * Hadoop gives to each job for its input, and the level manager takes that.
 *
 * <p><b>Crash</b> of the submitter: the job goes on and each of its moves is as safe as one of a
 * command; its copies may be deleted under it by the next run, which makes these moves fail and the
 * files keep their form. Not thread-safe.
 */
public final class MoveJob implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MoveJob.class);
  private static final int ATTEMPTS = 2;

  private final Configuration conf;
  private final DistributedFileSystem fs;
  private final Path folder;
  private final List<FSDataOutputStream> lists = new ArrayList<>();
  private final long[] listBytes;
  private final long[] listFiles;

  /** Told of each file that the job has come to an end with. */
  @FunctionalInterface
  public interface Results {
    void took(ApplyItem item, MoveResult result) throws IOException;
  }

  /**
   * @param maps limit on the maps
   */
  public MoveJob(Configuration conf, DistributedFileSystem fs, WorkFolder work, int maps)
      throws IOException {
    this.conf = new Configuration(conf);
    this.fs = fs;
    this.folder = work.newJobFolder();
    this.listBytes = new long[maps];
    this.listFiles = new long[maps];
    for (int i = 0; i < maps; i++) {
      lists.add(fs.create(new Path(folder, String.format("in/list-%05d", i))));
    }
  }

  /** A file to move. */
  public void take(ApplyItem item) throws IOException {
    int least = 0;
    for (int i = 1; i < listBytes.length; i++) {
      least = listBytes[i] < listBytes[least] ? i : least;
    }
    // A file that is empty costs its calls.
    listBytes[least] += 1 + item.rawBytesNow();
    listFiles[least]++;
    lists.get(least).write((JobLines.input(item) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Runs the job and tells of its files.
   *
   * @throws IOException when the job failed; what its maps did stays done
   */
  public void run(Results results) throws IOException {
    int used = 0;
    for (int i = 0; i < lists.size(); i++) {
      lists.get(i).close();
      if (listFiles[i] == 0) {
        fs.delete(new Path(folder, String.format("in/list-%05d", i)), /* recursive= */ false);
      } else {
        used++;
      }
    }
    if (used == 0) {
      return;
    }
    Job job = job(used);
    try {
      if (!job.waitForCompletion(/* verbose= */ false)) {
        throw new IOException(
            "Cannot finish: job="
                + job.getJobID()
                + " "
                + job.getStatus().getFailureInfo()
                + ", expected success; what it did stays done");
      }
    } catch (InterruptedException e) {
      kill(job, e);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot continue: interrupted; job " + job.getJobID());
    } catch (ClassNotFoundException e) {
      throw new IOException("Cannot run a job: class=" + e.getMessage() + ", expected", e);
    }
    long answered = 0;
    for (FileStatus part : fs.listStatus(new Path(folder, "out"))) {
      if (part.getPath().getName().startsWith("part-")) {
        answered += read(part.getPath(), results);
      }
    }
    long taken = Arrays.stream(listFiles).sum();
    if (answered != taken) {
      throw new IOException(
          "Cannot tell of all files: results="
              + answered
              + ", expected "
              + taken
              + ", job="
              + job.getJobID()
              + "; run it again: it finds out what became of the others");
    }
  }

  /** Its maps would go on without their lists. */
  private static void kill(Job job, InterruptedException because) {
    try {
      job.killJob();
    } catch (IOException e) {
      because.addSuppressed(e);
      LOG.warn("Cannot kill job {}, whose moves will fail", job.getJobID(), e);
    }
  }

  private Job job(int maps) throws IOException {
    ApplyOptions options = ApplyOptions.of(conf);
    Configuration own = new Configuration(conf);
    own.set(MoveMapper.FILE_SYSTEM, fs.getUri().toString());
    own.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    own.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, ATTEMPTS);
    // Whatever the cluster's defaults are: a failed map is reported, results are read as text.
    own.setInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, 0);
    own.setBoolean(FileOutputFormat.COMPRESS, false);
    if (options.bytesPerSecond() > 0) {
      own.setLong(ApplyKey.BANDWIDTH.key(), Math.max(1, options.bytesPerSecond() / maps));
    }
    Job job = Job.getInstance(own, "izs-apply");
    job.setJarByClass(MoveMapper.class);
    job.setMapperClass(MoveMapper.class);
    job.setNumReduceTasks(0);
    job.setInputFormatClass(ListInputFormat.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(NullWritable.class);
    FileInputFormat.addInputPath(job, new Path(folder, "in"));
    FileOutputFormat.setOutputPath(job, new Path(folder, "out"));
    return job;
  }

  private long read(Path part, Results results) throws IOException {
    long answered = 0;
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(fs.open(part), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        results.took(JobLines.item(line), JobLines.result(line));
        answered++;
      }
    }
    return answered;
  }

  /** Deletes lists and results. */
  @Override
  public void close() throws IOException {
    for (FSDataOutputStream each : lists) {
      each.close();
    }
    fs.delete(folder, /* recursive= */ true);
  }
}
