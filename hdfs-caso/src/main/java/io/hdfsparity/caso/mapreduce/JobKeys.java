/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import io.hdfsparity.caso.fs.PartPlan;
import io.hdfsparity.caso.fs.PartTasks;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;

/** What the client tells the tasks, and the counters that tasks tell the client. */
final class JobKeys {
  static final String CELL_SIZE = "io.hdfsparity.caso.job.cell-size";
  static final String DISTANCE = "io.hdfsparity.caso.job.distance-ticks";
  static final String DISK_NUMBER = "io.hdfsparity.caso.job.disk-number";

  /** Folder in which tasks note the volumes that they have seen, a file each. */
  static final String VOLUMES = "io.hdfsparity.caso.job.volumes";

  static final String STRICT = "io.hdfsparity.caso.job.strict";
  static final String THRESHOLD = "io.hdfsparity.caso.job.threshold";
  static final String MAX_WINDOW_CELLS = "io.hdfsparity.caso.job.max-window-cells";
  static final String CANDIDATES = "io.hdfsparity.caso.job.candidates";

  /** The {@link PartPlan} of a copy, encoded. */
  static final String PLAN = "io.hdfsparity.caso.job.copy.plan";

  /** Name of the list of parts. */
  static final String PARTS = "io.hdfsparity.caso.job.copy.parts";

  /** Identity of the copy that is compared, encoded. */
  static final String COPY = "io.hdfsparity.caso.job.copy.identity";

  /** Counted by tasks. */
  enum Count {
    WRITES,
    READS,
    BAD_LINES,
    OTHER_REQUESTS,
    WINDOWS,
    LEFT_OUT_WINDOWS,
    BYTES
  }

  private JobKeys() {}

  /** A number that the client has set. */
  static long number(Configuration conf, String key) {
    long value = conf.getLong(key, -1);
    if (value < 0) {
      throw new IllegalStateException(
          "Cannot count correlations: " + key + "=" + conf.get(key) + ", expected a number");
    }
    return value;
  }

  static PartPlan plan(Configuration conf) throws IOException {
    return PartPlan.decode(conf.get(PLAN, ""));
  }

  /** The file system of a plan. */
  static DistributedFileSystem fileSystem(PartPlan plan, Configuration conf) throws IOException {
    FileSystem fs = FileSystem.get(plan.fileSystem(), conf);
    if (fs instanceof DistributedFileSystem hdfs) {
      return hdfs;
    }
    throw new IOException("Cannot copy a file: fileSystem=" + fs.getUri() + ", expected HDFS");
  }

  /** What a task of a copy works with; tells the framework and the client how far it is. */
  static PartTasks tasks(TaskInputOutputContext<?, ?, ?, ?> context) throws IOException {
    PartPlan plan = plan(context.getConfiguration());
    Counter bytes = context.getCounter(Count.BYTES);
    return new PartTasks(
        fileSystem(plan, context.getConfiguration()),
        plan,
        count -> {
          bytes.increment(count);
          context.progress();
        });
  }
}
