/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.framing;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Files under golden/v1, written once by an implementation of the byte boxes in another language.
 * They are never regenerated: a test that fails on them means that files of users would not be read
 * any more.
 */
final class Golden {
  private Golden() {}

  static byte[] bytes(String name) throws IOException {
    try (InputStream in = Golden.class.getResourceAsStream("/golden/v1/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }
}
