/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

/** What every client is asked to do. */
enum Operation {
  READ("read"),
  WRITE("write"),
  APPEND("append"),
  LIST("list");

  private final String label;

  Operation(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
