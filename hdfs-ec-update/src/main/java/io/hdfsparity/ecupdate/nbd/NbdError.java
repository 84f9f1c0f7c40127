/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

/** Errors that a request can be answered with (specification, section "Error values"). */
enum NbdError {
  EPERM(1),
  EIO(5),
  EINVAL(22),
  ENOSPC(28),
  ESHUTDOWN(108);

  private final int number;

  NbdError(int number) {
    this.number = number;
  }

  /** On the wire. */
  int number() {
    return number;
  }
}
