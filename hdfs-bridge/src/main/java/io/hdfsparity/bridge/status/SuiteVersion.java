/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build of the suite. Stateless. */
public final class SuiteVersion {
  private static final String FILE = "suite.properties";

  private SuiteVersion() {}

  /** As the jars are named. */
  public static String get() {
    return read("version");
  }

  /** Version of the Hadoop that this build was compiled against. */
  static String hadoop() {
    return read("hadoop");
  }

  private static String read(String name) {
    Properties properties = new Properties();
    try (InputStream in = SuiteVersion.class.getResourceAsStream(FILE)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty(name, "unknown");
  }
}
