/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.verify;

/**
 * What a look at the id of a block group has found. Immutable.
 *
 * @param groupId the id
 * @param state of the group
 */
public record GroupLook(long groupId, State state) {
  /** Whether a group can be verified. */
  public enum State {
    /** There is no such group, or it has no bytes. */
    GONE,
    /** Of a codec that is not verified. */
    UNWANTED,
    /** It, or its file, is being written. */
    WRITTEN,
    /** Complete, of a closed file. */
    CLOSED
  }
}
