/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.util.Map;

/**
 * What a client has said to an operation.
 *
 * @param isDone whether it claims success
 * @param message why not, in one line; empty when done
 * @param listed names and lengths in bytes of what it has listed
 */
record Answer(boolean isDone, String message, Map<String, Long> listed) {
  static Answer done(Map<String, Long> listed) {
    return new Answer(true, "", listed);
  }

  static Answer refused(String message) {
    return new Answer(false, message.replaceAll("\\s+", " ").strip(), Map.of());
  }
}
