/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

/** How bad a finding is, worst first. */
public enum Severity {
  /** Something does not work, or files are less safe than they should be. */
  ERROR,

  /** It works now, and may not later. */
  WARNING,

  /** Nothing has to be done. */
  INFO
}
