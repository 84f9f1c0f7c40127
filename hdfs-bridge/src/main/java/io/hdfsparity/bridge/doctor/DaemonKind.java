/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

/** Daemons that have the suite in them. */
public enum DaemonKind {
  NAMENODE("NameNode"),
  DATANODE("DataNode");

  private final String words;

  DaemonKind(String words) {
    this.words = words;
  }

  /** For messages. */
  public String words() {
    return words;
  }
}
