/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import io.hdfsparity.caso.mapreduce.JobKeys.Count;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.MsrLine;
import io.hdfsparity.caso.trace.MsrTraceReader;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.TraceFormatException;
import io.hdfsparity.core.trace.TraceVolumes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a block trace to the windows of their writes. Notes the volumes that it has seen in a
 * file of its own: a counter cannot tell how many different ones all tasks have seen.
 */
public final class WindowMapper extends Mapper<LongWritable, Text, LongWritable, Span> {
  private final LongWritable window = new LongWritable();
  private final Span span = new Span();
  private @Nullable MsrLine format;
  private TraceVolumes volumes = new TraceVolumes();
  private long distanceTicks;
  private boolean isStrict;

  @Override
  protected void setup(Context context) {
    Configuration conf = context.getConfiguration();
    format = new MsrLine(Math.toIntExact(JobKeys.number(conf, JobKeys.CELL_SIZE)));
    distanceTicks = JobKeys.number(conf, JobKeys.DISTANCE);
    isStrict = conf.getBoolean(JobKeys.STRICT, false);
    if (conf.get(JobKeys.DISK_NUMBER) != null) {
      volumes = new TraceVolumes(OptionalLong.of(JobKeys.number(conf, JobKeys.DISK_NUMBER)));
    }
  }

  @Override
  protected void map(LongWritable offset, Text line, Context context)
      throws IOException, InterruptedException {
    CellRequest request;
    try {
      if (line.getLength() > MsrTraceReader.MAX_LINE_BYTES) {
        throw new TraceFormatException(
            "Cannot read trace: bytes="
                + line.getLength()
                + ", expected at most "
                + MsrTraceReader.MAX_LINE_BYTES);
      }
      // As the reader in process has it, to the character.
      String text = new String(line.getBytes(), 0, line.getLength(), StandardCharsets.ISO_8859_1);
      if (format == null || text.isBlank() || (offset.get() == 0 && MsrLine.isHeading(text))) {
        return;
      }
      request = format.parse(text);
      if (!volumes.takes(text)) {
        context.getCounter(Count.OTHER_REQUESTS).increment(1);
        return;
      }
    } catch (TraceFormatException e) {
      if (isStrict) {
        throw new TraceFormatException(
            e.getMessage() + ", offset=" + offset + " split=" + context.getInputSplit());
      }
      context.getCounter(Count.BAD_LINES).increment(1);
      return;
    }
    if (request.access() == Access.READ) {
      context.getCounter(Count.READS).increment(1);
      return;
    }
    context.getCounter(Count.WRITES).increment(1);
    window.set(Math.floorDiv(request.timeTicks(), distanceTicks));
    span.set(request.firstCell(), request.cellCount());
    context.write(window, span);
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    JobFiles.writeVolumes(
        context.getConfiguration(), context.getTaskAttemptID().toString(), volumes.taken());
  }
}
