/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import io.hdfsparity.core.check.Checks;
import java.nio.charset.StandardCharsets;

/**
 * A device under a name. Thread-safe as the device is.
 *
 * @param name that clients ask for; at most {@value #MAX_NAME_BYTES} bytes of UTF-8
 * @param description for people
 * @param device what is read and written
 * @param access what clients may do
 * @param order of the writes of all connections
 */
public record ServedExport(
    String name, String description, BlockExport device, Access access, RangeOrder order) {
  /** The specification's limit of a string. */
  static final int MAX_NAME_BYTES = 4096;

  private static final String DOING = "serve a block device";

  /** What clients may do. */
  public enum Access {
    READ_ONLY,
    READ_WRITE
  }

  public ServedExport {
    Checks.argument(
        bytesOf(name) > 0 && bytesOf(name) <= MAX_NAME_BYTES,
        DOING,
        "name",
        name,
        "1 to " + MAX_NAME_BYTES + " bytes");
    Checks.argument(
        bytesOf(description) <= MAX_NAME_BYTES,
        DOING,
        "description",
        description,
        "at most " + MAX_NAME_BYTES + " bytes");
  }

  /** With an order of its own. */
  public static ServedExport of(
      String name, String description, BlockExport device, Access access) {
    return new ServedExport(name, description, device, access, new RangeOrder());
  }

  private static int bytesOf(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * What clients learn of it. A flush on one connection covers the writes of all, and there is one
   * cache at most for all of them, so several connections are safe.
   */
  int transmissionFlags(ReplyForm form) {
    int flags = NbdConstants.FLAG_HAS_FLAGS | NbdConstants.FLAG_CAN_MULTI_CONN;
    flags |=
        access == Access.READ_ONLY
            ? NbdConstants.FLAG_READ_ONLY
            : NbdConstants.FLAG_SEND_FLUSH
                | NbdConstants.FLAG_SEND_FUA
                | NbdConstants.FLAG_SEND_WRITE_ZEROES;
    // A read is always answered in one piece.
    return form == ReplyForm.STRUCTURED ? flags | NbdConstants.FLAG_SEND_DF : flags;
  }
}
