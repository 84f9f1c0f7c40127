/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/** Whether several sessions may have a file open. */
public enum Sharing {
  /** With others that are shared. */
  SHARED,

  /**
   * One session alone. It is granted only when no DataNode can execute a request of another session
   * any more, and while it is open no other is granted.
   */
  EXCLUSIVE
}
