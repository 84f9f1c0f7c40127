/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

/** What a reader does with a line that it does not understand. */
public enum BadLines {
  /** Leave it out, count it and tell the listener. */
  SKIP,
  /** End with a {@link TraceFormatException}. */
  FAIL
}
