/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import java.io.IOException;

/** A block group takes no more updates under its ids: HDFS has rebuilt or copied a unit of it. */
final class GroupRetiredException extends IOException {
  private static final long serialVersionUID = 1L;

  GroupRetiredException(String message) {
    super(message);
  }
}
