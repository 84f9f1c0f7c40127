/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.List;

/** How daemons are started, beyond their own command lines. Implementations are thread-safe. */
public interface DaemonLaunch {
  /** As they are. */
  DaemonLaunch PLAIN = new DaemonLaunch() {};

  /**
   * Words before the command of a daemon. They have to replace themselves by it: the process id
   * stays.
   */
  default List<String> prefix(Daemon daemon) {
    return List.of();
  }
}
