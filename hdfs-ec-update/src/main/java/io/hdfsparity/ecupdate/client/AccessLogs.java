/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.ecupdate.config.TraceOptions;
import io.hdfsparity.ecupdate.trace.UpdateTrace;
import io.hdfsparity.ecupdate.updater.AccessLog;
import java.time.Clock;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;

/** Where an updater notes what it does, as the client's configuration says. Stateless. */
final class AccessLogs {
  private AccessLogs() {}

  /**
   * For one updater of a file.
   *
   * @throws IllegalArgumentException naming a key that cannot be used
   */
  static AccessLog of(Configuration conf, long inodeId) {
    TraceOptions options = TraceOptions.of(conf);
    if (options.directory().isEmpty()) {
      return AccessLog.NONE;
    }
    return new UpdateTrace(
        new UpdateTrace.Bounds(
            options.directory().get(), options.fileBytes(), options.totalBytes()),
        new UpdateTrace.Source(
            inodeId, NetUtils.getLocalHostname(), UUID.randomUUID().toString().replace("-", "")),
        Clock.systemUTC());
  }
}
