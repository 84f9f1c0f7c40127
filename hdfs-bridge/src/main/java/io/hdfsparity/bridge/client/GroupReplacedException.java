/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;

/**
 * While a block group was read, the file has got another one in its place. What was read so far
 * must not be decoded together with units of the new group; the read is retried with it. A {@link
 * GroupReader} passes it on.
 */
public final class GroupReplacedException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Another group is where one was read.
   *
   * @param group name of the group's block that was read
   * @param now name of the group's block that the file has by now
   */
  public GroupReplacedException(String file, long groupOffset, String group, String now) {
    super(
        ErrorMessage.to("continue reading a block group")
            .value("group", now)
            .expected(group + ", of which other units were read")
            .where("file", file)
            .where("groupOffset", groupOffset)
            .message());
  }
}
