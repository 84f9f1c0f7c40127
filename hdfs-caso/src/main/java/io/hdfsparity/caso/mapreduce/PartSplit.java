/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import io.hdfsparity.caso.fs.PartRunner.PartTask;
import io.hdfsparity.caso.placement.ParityForecast;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/** The work of one task: one part. Mutable, as Hadoop fills it; not thread-safe. */
public final class PartSplit extends InputSplit implements Writable {
  private int part;
  private long from;
  private long to;
  private long[] milliUpdatesPerDay = {};

  /** For Hadoop. */
  public PartSplit() {}

  PartSplit(PartTask task, long from, long to) {
    this.part = task.part();
    this.from = from;
    this.to = to;
    ParityForecast forecast = task.forecast();
    this.milliUpdatesPerDay = new long[forecast.groupCount()];
    for (int group = 0; group < milliUpdatesPerDay.length; group++) {
      milliUpdatesPerDay[group] = forecast.milliUpdatesPerDay(group);
    }
  }

  PartTask task() {
    return new PartTask(part, new ParityForecast(milliUpdatesPerDay));
  }

  long from() {
    return from;
  }

  long to() {
    return to;
  }

  @Override
  public long getLength() {
    return to - from;
  }

  /** Nowhere: cells of a part come from all over the file. */
  @Override
  public String[] getLocations() {
    return new String[0];
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(part);
    out.writeLong(from);
    out.writeLong(to);
    out.writeInt(milliUpdatesPerDay.length);
    for (long rate : milliUpdatesPerDay) {
      out.writeLong(rate);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    part = in.readInt();
    from = in.readLong();
    to = in.readLong();
    milliUpdatesPerDay = new long[in.readInt()];
    for (int group = 0; group < milliUpdatesPerDay.length; group++) {
      milliUpdatesPerDay[group] = in.readLong();
    }
  }

  @Override
  public String toString() {
    return "part " + part + ", bytes " + from + " to " + to;
  }
}
