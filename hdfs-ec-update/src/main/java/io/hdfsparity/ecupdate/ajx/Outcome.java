/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import org.jspecify.annotations.Nullable;

/**
 * What a request led to.
 *
 * @param record to be logged; null if nothing changed that must survive. The reply, and every later
 *     reply of this block whether it has a record or not, waits until the record is durable
 */
public record Outcome(Reply reply, @Nullable LogRecord record) {
  static Outcome of(Reply reply) {
    return new Outcome(reply, null);
  }
}
