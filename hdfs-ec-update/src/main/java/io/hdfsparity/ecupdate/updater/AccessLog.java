/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.trace.Access;

/**
 * Hears which ranges of a file are read and written, when they are begun. It never fails: what
 * becomes of what it hears must not become of the requests. Thread-safe.
 */
public interface AccessLog extends AutoCloseable {
  /** Hears nothing. */
  AccessLog NONE =
      new AccessLog() {
        @Override
        public void begun(Access access, long position, int lengthBytes) {}

        @Override
        public void close() {}
      };

  /**
   * A request is begun.
   *
   * @param position in the file's own order
   */
  void begun(Access access, long position, int lengthBytes);

  /** Nothing more comes. */
  @Override
  void close();
}
