/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a job to its end. It is killed when the thread is interrupted, or the process is asked to
 * end; if the process is killed itself, the job goes on. Stateless, thread-safe.
 */
final class JobRun {
  private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);
  private static final int MAX_EVENTS = 100;

  private JobRun() {}

  /**
   * Runs a job, of which no task may be left out, whatever the cluster's defaults are.
   *
   * @param doing for messages
   * @param mapped called with the share of the maps' work is done, from time to time
   * @throws IOException unless all tasks have come to their end
   */
  static void run(Job job, String doing, DoubleConsumer mapped) throws IOException {
    job.getConfiguration().setInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, 0);
    job.getConfiguration().setInt(MRJobConfig.REDUCE_FAILURES_MAXPERCENT, 0);
    Thread hook = new Thread(() -> kill(job), "kill " + job.getJobName());
    ShutdownHookManager.get().addShutdownHook(hook, FileSystem.SHUTDOWN_HOOK_PRIORITY + 1);
    boolean isOver = false;
    try {
      job.submit();
      long pauseMs = Job.getCompletionPollInterval(job.getConfiguration());
      while (!job.isComplete()) {
        mapped.accept(job.mapProgress());
        // The framework tells nobody; it is asked again.
        TimeUnit.MILLISECONDS.sleep(pauseMs);
      }
      isOver = true;
      if (!job.isSuccessful()) {
        throw new IOException(
            "Cannot "
                + doing
                + ": job="
                + job.getJobID()
                + " "
                + job.getStatus().getFailureInfo()
                + diagnostics(job)
                + ", expected success");
      }
      mapped.accept(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot continue: interrupted; job " + job.getJobID());
    } catch (ClassNotFoundException e) {
      throw new IOException("Cannot run a job: class=" + e.getMessage() + ", expected", e);
    } finally {
      if (!isOver) {
        kill(job);
      }
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(hook);
      }
    }
  }

  /** What the first attempt that failed has said. */
  private static String diagnostics(Job job) throws InterruptedException {
    try {
      for (TaskCompletionEvent event : job.getTaskCompletionEvents(0, MAX_EVENTS)) {
        if (event.getStatus() == TaskCompletionEvent.Status.FAILED) {
          return " " + String.join(" ", job.getTaskDiagnostics(event.getTaskAttemptId()));
        }
      }
    } catch (IOException e) {
      LOG.debug("No diagnostics of {}", job.getJobID(), e);
    }
    return "";
  }

  private static void kill(Job job) {
    if (job.getJobID() == null) {
      return;
    }
    // Hadoop's calls fail in an interrupted thread.
    boolean wasInterrupted = Thread.interrupted();
    try {
      job.killJob();
    } catch (IOException | IllegalStateException e) {
      // Also when it was not submitted yet.
      LOG.warn("Cannot kill job {}: it keeps running", job.getJobID(), e);
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
