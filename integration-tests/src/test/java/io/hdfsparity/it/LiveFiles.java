/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.localcluster.LiveFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files of folders that DataNodes work in, see {@link LiveFolder}. */
final class LiveFiles {
  private LiveFiles() {}

  /** Files, not folders, in no order; none where there is no such folder. */
  static List<Path> under(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    LiveFolder.visit(folder, (file, attributes) -> found.add(file));
    return found;
  }
}
