/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.io.IOException;

/** What DataNodes tell the session managers of all NameNodes. Thread-safe. */
@FunctionalInterface
public interface NodeProtocol {
  /**
   * Renews the DataNode's capability, and learns which sessions are live.
   *
   * @throws IOException when the NameNode does not know the DataNode (yet)
   */
  NodeAnswer report(NodeReport report) throws IOException;
}
