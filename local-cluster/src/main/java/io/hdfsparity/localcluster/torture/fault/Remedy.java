/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import java.io.IOException;

/** What heals a fault. */
interface Remedy {
  void apply() throws IOException;

  /** What the fault's own description does not say of it, for people. */
  default String detail() {
    return "";
  }
}
