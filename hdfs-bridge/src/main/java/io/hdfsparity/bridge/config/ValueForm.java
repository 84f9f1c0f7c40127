/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.config;

/** How the value of a key is written. */
public enum ValueForm {
  SIZE("a size in bytes, as 64k, 128m or 4g"),
  DURATION("a duration, with ms, s, m, h, d"),
  COUNT("a whole number"),
  SHARE("a number from 0 up to, not including, 1"),
  FRACTION("a number from 0 to 1"),
  FLAG("true or false"),
  WORD("one of the words listed"),
  TEXT("text"),
  DIRECTORY("an absolute path of a local directory"),
  DIRECTORIES("absolute paths of local directories, separated by commas"),
  HDFS_PATH("an absolute path of the file system"),
  CLASSES("names of classes, separated by commas"),
  FEATURES("names of features, separated by commas"),
  ADDRESS("host:port");

  private final String words;

  ValueForm(String words) {
    this.words = words;
  }

  /** For messages and the reference. */
  public String words() {
    return words;
  }
}
