/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.caso.placement.ParityForecast;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Runs the work on the parts of a copy, side by side and wherever it likes, with {@link PartTasks}.
 * A part may be tried several times, also at once.
 */
public interface PartRunner {
  /**
   * A part to be written.
   *
   * @param forecast how often parity of its block groups will be updated
   */
  record PartTask(int part, ParityForecast forecast) {}

  /**
   * Writes parts. Those that are there when it fails are taken by the next run.
   *
   * @param wentBy called with how many bytes were copied
   * @throws IOException unless all parts are there
   */
  void write(PartPlan plan, List<PartTask> tasks, LongConsumer wentBy) throws IOException;

  /**
   * Compares all bytes of file and copy, each part of the file by itself. Bytes that differ are no
   * error: the tasks note them.
   *
   * @param copy as it was before it was read back
   * @throws IOException unless all were compared
   */
  void compare(PartPlan plan, FileIdentity copy, LongConsumer wentBy) throws IOException;
}
