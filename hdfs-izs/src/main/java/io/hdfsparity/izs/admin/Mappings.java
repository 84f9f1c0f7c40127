/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.izs.config.AccessOptions;
import io.hdfsparity.izs.mapping.MappingException;
import io.hdfsparity.izs.mapping.MappingParser;
import io.hdfsparity.izs.mapping.MappingTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the rule table: the administrator's file, or else the paper's. */
final class Mappings {
  private static final String DEFAULT = "/io/hdfsparity/izs/mapping/default.conf";

  private Mappings() {}

  static MappingTable load(AccessOptions options) throws IOException, MappingException {
    if (!options.mappingFile().isEmpty()) {
      return MappingParser.parse(
          options.mappingFile(), Files.readString(Path.of(options.mappingFile())));
    }
    try (InputStream in = Mappings.class.getResourceAsStream(DEFAULT)) {
      if (in == null) {
        throw new IOException("Cannot read the mapping: file=" + DEFAULT + ", expected in the jar");
      }
      return MappingParser.parse(DEFAULT, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
