/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Windows to their cells, one each. */
public final class CellMapper extends Mapper<LongWritable, Cells, LongWritable, IntWritable> {
  private static final IntWritable ONE = new IntWritable(1);
  private final LongWritable cell = new LongWritable();

  @Override
  protected void map(LongWritable window, Cells cells, Context context)
      throws IOException, InterruptedException {
    for (int i = 0; i < cells.count(); i++) {
      cell.set(cells.cell(i));
      context.write(cell, ONE);
    }
  }
}
