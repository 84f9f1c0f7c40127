/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/**
 * Asks for a session. Immutable.
 *
 * @param path absolute
 * @param client name of the program, for people
 * @param missingUnits how many units of a group may be missing; 0 unless the client works with
 *     fewer
 * @param sharing whether others may have the file open too
 */
public record OpenRequest(String path, String client, int missingUnits, Sharing sharing) {
  /** One that is shared. */
  public OpenRequest(String path, String client, int missingUnits) {
    this(path, client, missingUnits, Sharing.SHARED);
  }
}
