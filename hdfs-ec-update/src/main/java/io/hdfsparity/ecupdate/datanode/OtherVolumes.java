/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

/** What the hooks of a volume ask of the other volumes of the DataNode. Thread-safe. */
interface OtherVolumes {
  /** There are none. */
  OtherVolumes NONE =
      new OtherVolumes() {
        @Override
        public boolean isMoving(long blockId) {
          return false;
        }

        @Override
        public boolean mayLack(String pool, long blockId) {
          return false;
        }
      };

  /** Whether a replica is being moved from one of them to this volume. Waits for no disk. */
  boolean isMoving(long blockId);

  /** As {@link UpdateVolume#mayLack}, of any. */
  boolean mayLack(String pool, long blockId);
}
