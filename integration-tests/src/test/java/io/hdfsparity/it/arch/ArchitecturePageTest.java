/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/design/architecture.md names modules, packages and classes that are there. */
class ArchitecturePageTest {
  private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern TYPE = Pattern.compile("[A-Z][A-Za-z0-9]+");
  private static final Pattern PACKAGE = Pattern.compile("(raidp|izs|ecupdate|caso)(\\.[a-z]+)+");
  private static final Pattern MODULE = Pattern.compile("(parity|hdfs|local)-[a-z-]+");

  /** Not of this project. */
  private static final Set<String> OTHERS = Set.of("ServiceLoader");

  private static List<String> named(Pattern kind) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "design", "architecture.md"));
    return CODE.matcher(page)
        .results()
        .map(code -> code.group(1))
        .filter(kind.asMatchPredicate())
        .distinct()
        .toList();
  }

  private static List<Path> mainSources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path module : SourceTree.moduleDirectories()) {
      SourceTree.javaFiles(module.resolve("src/main/java")).forEach(sources::add);
    }
    return sources;
  }

  @Test
  void everyClassIsThere() throws IOException {
    Set<String> types =
        mainSources().stream()
            .map(source -> source.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    types.addAll(OTHERS);
    assertThat(named(TYPE)).hasSizeGreaterThan(40).isSubsetOf(types);
  }

  @Test
  void everyPackageIsThere() throws IOException {
    Pattern declared = Pattern.compile("(?m)^package io\\.hdfsparity\\.([a-z.]+);");
    Set<String> packages = new TreeSet<>();
    for (Path source : mainSources()) {
      declared
          .matcher(Files.readString(source))
          .results()
          .map((MatchResult each) -> each.group(1))
          .forEach(packages::add);
    }
    assertThat(named(PACKAGE)).hasSizeGreaterThan(15).isSubsetOf(packages);
  }

  @Test
  void everyModuleIsThere() throws IOException {
    List<String> modules =
        SourceTree.moduleDirectories().stream()
            .map(module -> module.getFileName().toString())
            .toList();
    assertThat(named(MODULE)).hasSizeGreaterThan(6).isSubsetOf(modules);
  }

  /** The picture shows parts that are there. */
  @Test
  void thePictureNamesClassesThatAreThere() throws IOException {
    String picture = Files.readString(Path.of("..", "docs", "images", "architecture.svg"));
    Set<String> types =
        mainSources().stream()
            .map(source -> source.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    List<String> named =
        Pattern.compile("\\b(?:Parity|Client|Pair|Guarded|Lstor|Striped)[A-Z]\\w+")
            .matcher(picture)
            .results()
            .map(MatchResult::group)
            .distinct()
            .toList();
    assertThat(named).hasSizeGreaterThan(7).isSubsetOf(types);
  }
}
