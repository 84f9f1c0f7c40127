/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.trace;

import io.hdfsparity.core.trace.TraceFormatException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A trace, one request after the other, in the order of the log. Not thread-safe. */
public interface TraceSource {
  /**
   * The next request, or null after the last one.
   *
   * @throws TraceFormatException in strict mode, at the first bad line
   * @throws IOException if the bytes cannot be read, a damaged compressed stream included
   */
  @Nullable CellRequest next() throws IOException;
}
