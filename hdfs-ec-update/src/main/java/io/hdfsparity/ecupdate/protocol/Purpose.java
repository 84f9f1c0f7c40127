/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/** What a program opens a file for. */
public enum Purpose {
  /** To change bytes. */
  WRITE,

  /**
   * To read, and to complete or undo what others have left unfinished. It writes no bytes of its
   * own, so a program that continues in another session need not fear for what it writes again.
   */
  READ
}
