/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

/**
 * Where a record stands in a log. Immutable.
 *
 * @param salt of the log
 * @param sequence one more than that of the record before
 * @param run which opening of the log wrote it
 * @param forced all sequences up to this were durable before the record was begun
 * @param position bytes of the log before the record, since the log was created
 */
record LogPosition(long salt, long sequence, long run, long forced, long position) {}
