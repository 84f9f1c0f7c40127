/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

/**
 * A matrix that had to be inverted has no inverse: the units left do not determine the units lost.
 */
public final class SingularMatrixException extends ArithmeticException {
  private static final long serialVersionUID = 1L;

  public SingularMatrixException(String message) {
    super(message);
  }
}
