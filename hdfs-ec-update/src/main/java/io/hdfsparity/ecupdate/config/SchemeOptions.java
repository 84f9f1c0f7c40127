/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.ecupdate.storage.UpdateScheme;
import org.apache.hadoop.conf.Configuration;

/**
 * Which update scheme a path has. Immutable.
 *
 * <p>That of a file is the value of its extended attribute {@value #ATTRIBUTE}, or of the nearest
 * directory above it that has one, or the default. Attributes of the namespace "user" are set by
 * who may write the file or directory, so the scheme is the owner's choice, as its policy is.
 *
 * @param defaultScheme FO, FL, PL or PLR
 */
public record SchemeOptions(String defaultScheme) {
  /** The extended attribute. */
  public static final String ATTRIBUTE = "user.parity.ecupdate.scheme";

  /**
   * Reads the key.
   *
   * @throws IllegalArgumentException if it names no scheme
   */
  public static SchemeOptions of(Configuration conf) {
    String scheme = UpdateKey.reader(conf).text(UpdateKey.SCHEME_DEFAULT);
    if (!UpdateScheme.NAMES.contains(scheme)) {
      throw KeyReader.refused(
          UpdateKey.SCHEME_DEFAULT.key(),
          scheme,
          "one of " + UpdateScheme.NAMES,
          /* cause= */ null);
    }
    return new SchemeOptions(scheme);
  }
}
