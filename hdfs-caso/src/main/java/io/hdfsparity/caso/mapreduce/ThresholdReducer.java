/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapreduce.Reducer;

/** Adds counts of a key up, and keeps those that reach the threshold. */
public final class ThresholdReducer<K> extends Reducer<K, IntWritable, K, IntWritable> {
  private final IntWritable sum = new IntWritable();
  private int threshold;

  @Override
  protected void setup(Context context) {
    threshold = Math.toIntExact(JobKeys.number(context.getConfiguration(), JobKeys.THRESHOLD));
  }

  @Override
  protected void reduce(K key, Iterable<IntWritable> counts, Context context)
      throws IOException, InterruptedException {
    sum.set(SumCombiner.sum(counts));
    if (sum.get() >= threshold) {
      context.write(key, sum);
    }
  }
}
