/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import java.io.IOException;

/** A replica takes no updates any more, from nobody: its file has to be rewritten. */
final class ReplicaRetiredException extends IOException {
  private static final long serialVersionUID = 1L;

  ReplicaRetiredException(String message) {
    super(message);
  }
}
