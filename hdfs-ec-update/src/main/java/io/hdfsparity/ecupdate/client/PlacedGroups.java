/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.updater.FileLayout;
import io.hdfsparity.ecupdate.updater.UnitLocation;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Where the NameNode has the units of block groups, checked against the layout that the file was
 * opened with. Immutable.
 */
final class PlacedGroups {
  private final FileLayout layout;

  PlacedGroups(FileLayout layout) {
    this.layout = layout;
  }

  /** Units of a group, by index. */
  Map<Integer, UnitLocation> places(UpdateSession session, int index) throws IOException {
    Map<Integer, UnitLocation> places = new TreeMap<>();
    for (UpdateUnit unit : group(session, index).units()) {
      places.put(unit.unit(), ReplicaTokens.location(session, unit));
    }
    return places;
  }

  /**
   * A group of a session.
   *
   * @throws IOException if the file is laid out in another way than when it was opened
   */
  UpdateGroup group(UpdateSession session, int index) throws IOException {
    FileLayout.Group wanted = layout.groups().get(index);
    if (session.groups().size() > index) {
      UpdateGroup group = session.groups().get(index);
      if (group.offsetBytes() == wanted.offsetBytes()
          && group.lengthBytes() == wanted.lengthBytes()) {
        return group;
      }
    }
    throw new IOException(
        ErrorMessage.to("locate a block group")
            .value("group", index)
            .expected("the layout of the file as it was opened, " + wanted)
            .where("file", session.file().path())
            .message());
  }

  /** The first unit that is not placed. */
  OptionalInt missing(int group, Map<Integer, UnitLocation> places) {
    return IntStream.range(0, layout.code().shape().blocks())
        .filter(unit -> layout.hasUnit(group, unit) && !places.containsKey(unit))
        .findFirst();
  }

  /** Without one, changes could be lost by what the missing node does when it is back. */
  void requireAll(int group, Map<Integer, UnitLocation> places) throws IOException {
    OptionalInt missing = missing(group, places);
    if (missing.isPresent()) {
      throw new IOException(
          ErrorMessage.to("update a block group")
              .value("unit", missing.getAsInt())
              .expected("a DataNode that has it and takes updates")
              .where("group", group)
              .message());
    }
  }
}
