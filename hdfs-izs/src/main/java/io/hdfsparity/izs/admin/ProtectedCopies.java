/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.swap.Inspection;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.StorageForm.Raidp;
import java.io.FileNotFoundException;
import java.io.IOException;

/**
 * Has the place of copies protected before the first file moves that RAIDP protects and that should
 * have form {@code raidp}. So a run that changes no such file leaves no mark in the namespace. For
 * one command; not thread-safe.
 */
final class ProtectedCopies {
  private final SwapProtocol service;
  private final Place place;
  private boolean prepared;

  /** Where copies of form {@code raidp} are made. */
  @FunctionalInterface
  interface Place {
    /**
     * @throws IOException when it cannot be used, or the NameNode does not protect it
     */
    void protect() throws IOException;
  }

  ProtectedCopies(SwapProtocol service, Place place) {
    this.service = service;
    this.place = place;
  }

  /**
   * Prepares the place if this advice needs it.
   *
   * @throws IOException when the run cannot go on
   */
  void prepareFor(Advice advice) throws IOException {
    if (prepared || !(advice.form().orElse(advice.file().form()) instanceof Raidp)) {
      return;
    }
    try {
      Inspection now = service.inspect(advice.file().path());
      if (!now.pairPlaced() || !now.isProtected()) {
        // The move refuses it.
        return;
      }
    } catch (FileNotFoundException e) {
      // The move says so.
      return;
    }
    place.protect();
    prepared = true;
  }
}
