/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * Windows to the pairs of those of their cells that can be correlated. Holds these, 8 bytes each.
 */
public final class PairMapper extends Mapper<LongWritable, Cells, Pair, IntWritable> {
  private static final IntWritable ONE = new IntWritable(1);
  private final Pair pair = new Pair();
  private long[] candidates = {};
  private long[] present = new long[64];
  private int maxWindowCells;

  @Override
  protected void setup(Context context) throws IOException {
    Configuration conf = context.getConfiguration();
    maxWindowCells = Math.toIntExact(JobKeys.number(conf, JobKeys.MAX_WINDOW_CELLS));
    candidates = JobFiles.cells(conf, new Path(conf.get(JobKeys.CANDIDATES, "")));
  }

  @Override
  protected void map(LongWritable window, Cells cells, Context context)
      throws IOException, InterruptedException {
    if (present.length < cells.count()) {
      present = new long[cells.count()];
    }
    int count = 0;
    for (int i = 0; i < cells.count(); i++) {
      if (Arrays.binarySearch(candidates, cells.cell(i)) >= 0) {
        present[count++] = cells.cell(i);
      }
    }
    if (count > maxWindowCells) {
      context.getCounter(JobKeys.Count.LEFT_OUT_WINDOWS).increment(1);
      return;
    }
    for (int low = 0; low < count; low++) {
      for (int high = low + 1; high < count; high++) {
        pair.set(present[low], present[high]);
        context.write(pair, ONE);
      }
    }
  }
}
