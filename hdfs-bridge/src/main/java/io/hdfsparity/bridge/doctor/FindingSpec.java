/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

/**
 * What is known of a finding, whatever its place. Immutable.
 *
 * @param code {@code PARITY-} and three digits
 * @param meaning a sentence
 * @param remedy sentences that say what to do
 */
public record FindingSpec(String code, Severity severity, String meaning, String remedy) {
  /**
   * @throws IllegalArgumentException unless the code has its form and both texts end with a full
   *     stop
   */
  public FindingSpec {
    if (!code.matches("PARITY-[0-9]{3}") || !meaning.endsWith(".") || !remedy.endsWith(".")) {
      throw new IllegalArgumentException(
          "Cannot define a finding: code="
              + code
              + ", expected PARITY- and three digits, and texts that end with a full stop");
    }
  }
}
