/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

/**
 * The map of superchunks could not be rebuilt after a change whose work had failed. Who called is
 * not to blame.
 */
final class UnrepairedMapException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  UnrepairedMapException(Throwable cause) {
    super(
        "Cannot rebuild the view of RAIDP's superchunks after a change that failed: "
            + cause
            + "; see the NameNode's log. It is tried again at each report; if that does not help,"
            + " restart this NameNode",
        cause);
  }
}
