/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import java.io.IOException;

/**
 * A swap was refused, and not executed, because its session has to collect first: there is no room
 * for what it would replace. It may be sent again.
 */
public final class ReceiptRoomException extends IOException {
  private static final long serialVersionUID = 1L;

  ReceiptRoomException(String message) {
    super(message);
  }
}
