/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapreduce.Reducer;

/** Adds counts of a key up, before they go over the network. */
public final class SumCombiner<K> extends Reducer<K, IntWritable, K, IntWritable> {
  private final IntWritable sum = new IntWritable();

  @Override
  protected void reduce(K key, Iterable<IntWritable> counts, Context context)
      throws IOException, InterruptedException {
    sum.set(sum(counts));
    context.write(key, sum);
  }

  static int sum(Iterable<IntWritable> counts) {
    int sum = 0;
    for (IntWritable count : counts) {
      sum = Math.addExact(sum, count.get());
    }
    return sum;
  }
}
