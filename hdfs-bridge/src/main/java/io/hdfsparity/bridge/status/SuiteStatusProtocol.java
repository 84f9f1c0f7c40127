/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

import java.io.IOException;

/** What a daemon is asked about the suite in it. Implementations are thread-safe. */
@FunctionalInterface
public interface SuiteStatusProtocol {
  /**
   * How the suite is in this daemon, whether its features are in service or not. For superusers and
   * administrators.
   *
   * @throws org.apache.hadoop.security.AccessControlException for others
   */
  DaemonStatus describe() throws IOException;
}
