/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

/**
 * What an audit event means to the history.
 *
 * @param path absolute, as the client gave it
 * @param to new path of a rename, else empty
 */
record AccessEvent(Kind kind, String path, String to) {
  /** What happened. */
  enum Kind {
    ACCESS,
    RENAME,
    DELETE
  }
}
