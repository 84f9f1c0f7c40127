/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.transfer;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.izs.apply.Inspection;
import io.hdfsparity.izs.apply.SwapAnswer;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.IOException;

/** The level manager of the active NameNode, as a mover needs it. Thread-safe. */
public interface SwapService {
  /**
   * @throws java.io.FileNotFoundException when the path leads to no file
   */
  Inspection inspect(String path) throws IOException;

  /** Safe to repeat. */
  SwapAnswer swap(FileIdentity source, FileIdentity copy) throws IOException;

  /** The level manager of the active NameNode, whichever that is at each call. */
  static SwapService of(LevelManagers managers) {
    return new SwapService() {
      @Override
      public Inspection inspect(String path) throws IOException {
        return managers.callActive(manager -> manager.inspect(path));
      }

      @Override
      public SwapAnswer swap(FileIdentity source, FileIdentity copy) throws IOException {
        return managers.callActive(manager -> manager.swap(source, copy));
      }
    };
  }
}
