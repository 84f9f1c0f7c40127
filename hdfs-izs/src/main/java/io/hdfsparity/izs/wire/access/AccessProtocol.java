/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire.access;

import io.hdfsparity.izs.history.HistoryView;
import java.io.IOException;
import java.util.List;

/** What a NameNode is asked about accesses. */
@FunctionalInterface
public interface AccessProtocol {
  /** Maximum number of paths of one call. */
  int MAX_PATHS = 2000;

  /**
   * Access counts of paths as this NameNode counted them; a standby answers too, because it may
   * have been active. For superusers.
   *
   * @param paths of files, or of directories with a slash at their end
   * @throws org.apache.hadoop.security.AccessControlException for others
   */
  HistoryView counts(List<String> paths) throws IOException;
}
