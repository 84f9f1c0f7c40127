/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.update;

import io.hdfsparity.bridge.level.StripedFile;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A file under the NameNode's lock. Not to be kept or used after the call that brought it. */
public interface FileView {
  /** What it is. */
  StripedFile file();

  /** Bytes of its content. */
  long lengthBytes();

  /**
   * An extended attribute of the file, or of the nearest directory above it that has it.
   *
   * @param name with its namespace, as in {@code user.a}
   * @return its value as UTF-8; empty: none has it
   */
  Optional<String> inherited(String name);

  /**
   * Id of the newest block group that it had when its level was lowered; empty: it never was. A
   * DataNode that was away then may bring a dropped unit of that one and of older ones back at any
   * time. {@link Long#MAX_VALUE}: earlier software has lowered it, and has not noted the group.
   */
  OptionalLong newestLoweredGroup();

  /** Number of the program that has opened it last for updates; empty: none that is known. */
  OptionalLong lastProgram();

  /** Its block groups in order; a step for each replica. */
  List<GroupFacts> groups();
}
