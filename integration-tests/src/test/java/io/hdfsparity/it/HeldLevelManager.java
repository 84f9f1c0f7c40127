/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.bridge.level.CrashPoints.Point;
import io.hdfsparity.izs.namenode.LevelManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * A level manager that stops at a point of a change for good, with all locks held, so that a test
 * in another process can kill the NameNode there. The file that system property {@value #PROPERTY}
 * names holds the point's name; a file beside it says that it is reached.
 */
public final class HeldLevelManager extends LevelManager {
  static final String PROPERTY = "level.hold";

  /** As the plugin makes it. */
  public HeldLevelManager() {
    super(HeldLevelManager::reached);
  }

  /** Where a NameNode says that it is held. */
  static Path reachedFile(Path holdFile) {
    return holdFile.resolveSibling(holdFile.getFileName() + ".reached");
  }

  private static void reached(Point point) {
    Path file = Path.of(System.getProperty(PROPERTY));
    try {
      if (Files.exists(file) && Files.readString(file).equals(point.name())) {
        Files.writeString(reachedFile(file), point.name());
        while (true) {
          LockSupport.park();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
