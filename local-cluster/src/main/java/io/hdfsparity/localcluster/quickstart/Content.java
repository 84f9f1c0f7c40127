/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.io.IOException;

/** What a file in HDFS must hold, wherever its bytes come from. Thread-safe. */
interface Content {
  /** Length in bytes. */
  long lengthBytes();

  /**
   * Gives bytes.
   *
   * @param position of the first one
   * @param length how many; position + length is at most {@link #lengthBytes}
   */
  byte[] read(long position, int length) throws IOException;
}
