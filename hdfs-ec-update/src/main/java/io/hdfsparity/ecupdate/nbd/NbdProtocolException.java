/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;

/** A peer broke a rule of the protocol, and its connection has to be closed. */
public final class NbdProtocolException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With what it sent, and what it should have. */
  NbdProtocolException(String name, Object value, String rule) {
    super(ErrorMessage.to("serve a block device").value(name, value).expected(rule).message());
  }
}
