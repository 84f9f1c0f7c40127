/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

/**
 * One thing that is wrong at one place. Immutable.
 *
 * @param place a daemon, {@link #THIS_HOST} or {@link #CLUSTER}
 * @param detail what is wrong there, with the values
 */
public record Finding(FindingKind kind, String place, String detail) {
  /** Of the configuration that the command reads. */
  public static final String THIS_HOST = "this host";

  /** Of no daemon alone. */
  public static final String CLUSTER = "cluster";
}
