/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Reducer;

/** Writes of a window to its distinct cells. */
public final class WindowReducer extends Reducer<LongWritable, Span, LongWritable, Cells> {
  private final Cells cells = new Cells();

  @Override
  protected void reduce(LongWritable window, Iterable<Span> spans, Context context)
      throws IOException, InterruptedException {
    cells.clear();
    spans.forEach(cells::add);
    cells.makeDistinct();
    context.getCounter(JobKeys.Count.WINDOWS).increment(1);
    context.write(window, cells);
  }
}
