/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.wire;

import java.io.IOException;
import java.util.List;

/** What the active NameNode does for files that change their order; for superusers. */
public interface LayoutProtocol {
  /**
   * Gives the blocks of files to another one of their directory, and deletes the files. Not to be
   * repeated: the second time they are not there.
   */
  void join(String target, List<String> parts) throws IOException;

  /**
   * Whether files in stored order are kept from clients that know no orders. A standby answers for
   * itself.
   */
  boolean isGuarded() throws IOException;
}
