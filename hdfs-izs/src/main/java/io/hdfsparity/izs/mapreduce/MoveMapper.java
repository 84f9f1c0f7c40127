/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapreduce;

import io.hdfsparity.izs.apply.ApplyItem;
import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.apply.MoveResult;
import io.hdfsparity.izs.config.ApplyOptions;
import io.hdfsparity.izs.transfer.Mover;
import io.hdfsparity.izs.transfer.WorkFolder;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.jspecify.annotations.Nullable;

/**
 * Moves the files of a list. An attempt that is repeated leaves files alone that have their form
 * already; what the attempt before left in the work folder is deleted when the next run begins.
 */
public final class MoveMapper extends Mapper<LongWritable, Text, Text, NullWritable> {
  static final String FILE_SYSTEM = "io.hdfsparity.izs.job.file-system";

  private @Nullable Mover mover;

  @Override
  protected void setup(Context context) throws IOException {
    Configuration conf = context.getConfiguration();
    URI uri = URI.create(conf.getTrimmed(FILE_SYSTEM, ""));
    ApplyOptions options = ApplyOptions.of(conf);
    DistributedFileSystem fs = (DistributedFileSystem) FileSystem.get(uri, conf);
    mover =
        new Mover(
            fs,
            LevelManagers.of(conf, fs).swaps(),
            WorkFolder.join(fs, options.workFolder()),
            options,
            MovePoints.NONE,
            context::progress);
  }

  @Override
  protected void map(LongWritable unused, Text line, Context context)
      throws IOException, InterruptedException {
    if (mover == null) {
      throw new IllegalStateException("Cannot move: setup=not called, expected before");
    }
    ApplyItem item = JobLines.item(line.toString());
    MoveResult result = mover.move(item.path(), item.inodeId(), JobLines.form(item.to()));
    context.write(new Text(JobLines.output(item, result)), NullWritable.get());
  }
}
