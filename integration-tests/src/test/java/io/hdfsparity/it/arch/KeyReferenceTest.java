/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.hdfsparity.bridge.config.ConfigKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One reference of all keys, generated from the enums that have them. {@code
 * -Dkeys.regenerate=true} writes it.
 */
class KeyReferenceTest {
  private static final Path DEFAULTS = Path.of("..", "conf", "parity-default.xml");
  private static final Path PAGE = Path.of("..", "docs", "reference", "keys.md");

  private static List<ConfigKey> keys;

  @BeforeAll
  static void findKeys() {
    keys = new ArrayList<>();
    new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.hdfsparity")
            .stream()
            .filter(each -> each.isEnum() && each.isAssignableTo(ConfigKey.class))
            .sorted((one, two) -> one.getName().compareTo(two.getName()))
            .map(JavaClass::reflect)
            .forEach(each -> keys.addAll(constants(each)));
  }

  private static List<ConfigKey> constants(Class<?> type) {
    List<ConfigKey> all = new ArrayList<>();
    for (Object each : type.getEnumConstants()) {
      all.add((ConfigKey) each);
    }
    return all;
  }

  @Test
  void everyFeatureHasKeysAndNoNameComesTwice() {
    assertThat(keys).extracting(ConfigKey::key).doesNotHaveDuplicates();
    for (String area : List.of("raidp.", "izs.", "ecupdate.", "caso.", "datanode.")) {
      assertThat(keys).anyMatch(key -> key.key().startsWith(ConfigKey.SUITE_PREFIX + area));
    }
  }

  @Test
  void theReferenceIsUpToDate() throws IOException {
    isUpToDate(PAGE, KeyReference.markdown(keys));
  }

  @Test
  void theDefaultsFileIsUpToDate() throws IOException {
    isUpToDate(DEFAULTS, KeyReference.xml(keys));
  }

  private static void isUpToDate(Path file, String content) throws IOException {
    if (Boolean.getBoolean("keys.regenerate")) {
      Files.writeString(file, content);
    }
    assertThat(file).as("regenerate by -Dkeys.regenerate=true").hasContent(content);
  }

  @Test
  void hadoopReadsTheDefaultsFile() {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(DEFAULTS.toAbsolutePath().toUri()));
    for (ConfigKey key : keys) {
      assertThat(conf.get(key.key(), "")).as(KeyReference.name(key)).isEqualTo(key.defaultValue());
    }
  }
}
