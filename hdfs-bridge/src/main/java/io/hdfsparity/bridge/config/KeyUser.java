/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.config;

/** A daemon or program that reads a key. */
public enum KeyUser {
  NAMENODE("NameNode"),
  DATANODE("DataNode"),
  LSTOR("Lstor daemon"),
  CLIENT("client"),
  COMMAND("command");

  private final String words;

  KeyUser(String words) {
    this.words = words;
  }

  /** For the reference. */
  public String words() {
    return words;
  }
}
