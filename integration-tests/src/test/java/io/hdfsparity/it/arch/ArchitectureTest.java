/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.hdfsparity.bridge.wire.Caller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The layer rules. They look at the compiled classes of every module of the build, so that a module
 * that is added later is held to them without a change here.
 */
class ArchitectureTest {
  private static final String HADOOP = "org.apache.hadoop..";
  private static final String PROTOBUF = "org.apache.hadoop.thirdparty.protobuf..";

  /** Feature modules; hdfs-bridge serves them and knows none. */
  private static final String[] FEATURES = {
    "io.hdfsparity.raidp..",
    "io.hdfsparity.izs..",
    "io.hdfsparity.ecupdate..",
    "io.hdfsparity.caso.."
  };

  private static final String[] PURE = {
    "io.hdfsparity.raidp.adoption..",
    "io.hdfsparity.raidp.layout..",
    "io.hdfsparity.raidp.lstor..",
    "io.hdfsparity.raidp.recovery..",
    "io.hdfsparity.izs.codec..",
    "io.hdfsparity.izs.repair..",
    "io.hdfsparity.izs.availability..",
    "io.hdfsparity.izs.history..",
    "io.hdfsparity.izs.mapping..",
    "io.hdfsparity.izs.verify..",
    "io.hdfsparity.ecupdate.ajx..",
    "io.hdfsparity.ecupdate.protocol..",
    "io.hdfsparity.ecupdate.storage..",
    "io.hdfsparity.ecupdate.trace..",
    "io.hdfsparity.ecupdate.updater..",
    "io.hdfsparity.caso.format..",
    "io.hdfsparity.caso.trace..",
    "io.hdfsparity.caso.correlation..",
    "io.hdfsparity.caso.organize..",
    "io.hdfsparity.caso.replay..",
    "io.hdfsparity.caso.layout..",
    "io.hdfsparity.caso.placement..",
    "io.hdfsparity.caso.workload.."
  };

  private static TreeMap<String, JavaClasses> modules;

  @BeforeAll
  static void importModules() throws IOException {
    modules = new TreeMap<>();
    for (Path module : SourceTree.moduleDirectories()) {
      Path compiled = module.resolve("target/classes");
      if (Files.isDirectory(compiled)) {
        JavaClasses classes = new ClassFileImporter().importPath(compiled);
        if (!classes.isEmpty()) {
          modules.put(module.getFileName().toString(), classes);
        }
      }
    }
    assertThat(modules)
        .containsKeys(
            "parity-core", "hdfs-bridge", "hdfs-raidp", "hdfs-izs", "hdfs-ec-update", "hdfs-caso");
  }

  private static JavaClasses module(String name) {
    return Objects.requireNonNull(modules.get(name), name);
  }

  @Test
  void parityCoreNeedsTheJdkAndJnaOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.hdfsparity.core..",
            "java..",
            "jdk.incubator.vector..",
            "com.sun.jna..",
            "org.jspecify..",
            "sun.misc..")
        .because(
            "it is used where there is no Hadoop; the class that needs the vector module is loaded"
                + " only where that is present")
        .check(module("parity-core"));
  }

  @Test
  void onlyNativeMemoryUsesInternalsOfTheJdk() {
    modules.forEach(
        (name, classes) ->
            noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.hdfsparity.core.gf.NativeMemory")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("sun..", "jdk.internal..")
                .because("they can go with any JDK")
                .check(classes));
  }

  @Test
  void bridgeKnowsNoFeature() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(FEATURES)
        .because("each feature can be on without the others")
        .check(module("hdfs-bridge"));
  }

  @Test
  void featuresDoNotKnowEachOther() {
    modules.forEach(
        (name, classes) -> {
          for (String feature : FEATURES) {
            String[] others =
                Stream.of(FEATURES).filter(other -> !other.equals(feature)).toArray(String[]::new);
            noClasses()
                .that()
                .resideInAPackage(feature)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .allowEmptyShould(true)
                .because("an exception needs an ADR, and a line here")
                .check(classes);
          }
        });
  }

  @Test
  void onlyTheBridgeDeclaresClassesInPackagesOfHadoop() throws IOException {
    modules.forEach(
        (name, classes) -> {
          if (!name.equals("hdfs-bridge")) {
            noClasses()
                .should()
                .resideInAPackage(HADOOP)
                .because("split packages are quarantined in hdfs-bridge")
                .check(classes);
          }
        });
    // Sources too: of modules that are compiled after this one, and of tests.
    for (Path module : SourceTree.moduleDirectories()) {
      if (!module.endsWith("hdfs-bridge")) {
        assertThat(SourceTree.hadoopSourcesIn(module)).as(module.toString()).isEmpty();
      }
    }
    assertThat(SourceTree.hadoopSourcesIn(SourceTree.moduleDirectory("hdfs-bridge"))).isNotEmpty();
  }

  @Test
  void packagesHaveNoCycles() {
    slices()
        .matching("io.hdfsparity.core.(*)..")
        .should()
        .beFreeOfCycles()
        .check(module("parity-core"));
    slices()
        .matching("io.hdfsparity.raidp.(*)..")
        .should()
        .beFreeOfCycles()
        .check(module("hdfs-raidp"));
    slices()
        .matching("io.hdfsparity.izs.(*)..")
        .should()
        .beFreeOfCycles()
        .check(module("hdfs-izs"));
    slices()
        .matching("io.hdfsparity.ecupdate.(**)")
        .should()
        .beFreeOfCycles()
        .check(module("hdfs-ec-update"));
    slices()
        .matching("io.hdfsparity.caso.(*)..")
        .should()
        .beFreeOfCycles()
        .check(module("hdfs-caso"));
    slices()
        .matching("io.hdfsparity.bridge.(*)..")
        .should()
        .beFreeOfCycles()
        .check(module("hdfs-bridge"));
  }

  @Test
  void purePackagesArePure() {
    for (String feature : new String[] {"hdfs-raidp", "hdfs-izs", "hdfs-ec-update", "hdfs-caso"}) {
      classes()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .onlyDependOnClassesThat(
              com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage(
                      "io.hdfsparity.core..",
                      // Pure itself, see levelRulesSeeRecordsOnly.
                      "io.hdfsparity.bridge.refusal",
                      "java..",
                      "org.jspecify..",
                      "org.jgrapht..",
                      "org.HdrHistogram..")
                  .or(
                      com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage(
                          PURE)))
          .because("planners, codes and the Lstor are tested, and read, without Hadoop")
          .check(module(feature));
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .and()
          .resideOutsideOfPackage("io.hdfsparity.ecupdate.protocol..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.hdfsparity.bridge..")
          .because("only what is answered to clients needs a refusal")
          .check(module(feature));
    }
  }

  @Test
  void theUpdateChannelNeedsNoHadoop() {
    classes()
        .that()
        .resideInAPackage("io.hdfsparity.ecupdate.channel..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.hdfsparity.ecupdate.channel..",
            "io.hdfsparity.ecupdate.ajx..",
            "io.hdfsparity.ecupdate.updater..",
            "io.hdfsparity.core..",
            "java..",
            "javax.crypto..",
            "org.jspecify..",
            "io.netty..")
        .because("frames and connections are tested, and read, without a cluster")
        .check(module("hdfs-ec-update"));
  }

  @Test
  void blockDevicesNeedNoHadoop() {
    classes()
        .that()
        .resideInAnyPackage("io.hdfsparity.ecupdate.nbd..", "io.hdfsparity.ecupdate.device..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.hdfsparity.ecupdate.nbd..",
            "io.hdfsparity.ecupdate.device..",
            "io.hdfsparity.ecupdate.updater..",
            "io.hdfsparity.core..",
            "java..",
            "javax.net.ssl..",
            "org.jspecify..")
        .because("a protocol is tested, and read, without a cluster")
        .check(module("hdfs-ec-update"));
  }

  @Test
  void levelRulesSeeRecordsOnly() {
    classes()
        .that()
        .resideInAPackage("io.hdfsparity.izs.level..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.hdfsparity.izs.level..",
            "io.hdfsparity.bridge.level..",
            "io.hdfsparity.bridge.refusal",
            "java..",
            "org.jspecify..")
        .because("what may be changed is decided, and tested, without a NameNode")
        .check(module("hdfs-izs"));
    classes()
        .that()
        .resideInAPackage("io.hdfsparity.bridge.level..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.hdfsparity.bridge.level..",
            "io.hdfsparity.bridge.refusal",
            "java..",
            "org.jspecify..")
        .check(module("hdfs-bridge"));
    classes()
        .that()
        .resideInAPackage("io.hdfsparity.bridge.refusal")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.hdfsparity.bridge.refusal", "io.hdfsparity.core.check", "java..", "org.jspecify..")
        .check(module("hdfs-bridge"));
  }

  @Test
  void movesSeeRecordsOnly() {
    classes()
        .that()
        .resideInAPackage("io.hdfsparity.izs.apply..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.hdfsparity.izs.apply..",
            "io.hdfsparity.izs.mapping..",
            "io.hdfsparity.izs.verify..",
            "io.hdfsparity.bridge.hold..",
            "io.hdfsparity.bridge.swap..",
            "io.hdfsparity.bridge.level..",
            "io.hdfsparity.bridge.refusal",
            "java..",
            "org.jspecify..",
            "org.slf4j..")
        .because("what may take a file's place is decided, and tested, without a NameNode")
        .check(module("hdfs-izs"));
    noClasses()
        .that()
        .resideOutsideOfPackages("io.hdfsparity.izs.mapreduce..", "io.hdfsparity.izs.admin..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.hadoop.mapred..",
            "org.apache.hadoop.mapreduce..",
            "io.hdfsparity.izs.mapreduce..")
        .because("daemons run without MapReduce")
        .check(module("hdfs-izs"));
    noClasses()
        .that()
        .resideOutsideOfPackages("io.hdfsparity.caso.mapreduce..", "io.hdfsparity.caso.admin..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.hadoop.mapred..",
            "org.apache.hadoop.mapreduce..",
            "io.hdfsparity.caso.mapreduce..")
        .because("what reads a file runs without MapReduce")
        .check(module("hdfs-caso"));
  }

  @Test
  void protobufStaysInWirePackages() {
    modules.forEach(
        (name, classes) ->
            noClasses()
                .that()
                .resideOutsideOfPackage("io.hdfsparity..wire..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(PROTOBUF, "com.google.protobuf..")
                .because("only translators see messages; the rest of the code sees records")
                .check(classes));
  }

  /** Every method that a server answers says who may call it, and is served by what enforces it. */
  @Test
  void everyRemoteMethodSaysWhoMayCallIt() {
    Map<String, Caller> table = CallersTable.of(modules.values());
    assertThat(table).hasSizeGreaterThan(30).doesNotContainValue(null);
    modules.forEach(
        (name, classes) ->
            noClasses()
                .that()
                .resideInAnyPackage(FEATURES)
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.apache.hadoop.ipc.RPC$Builder")
                .orShould()
                .callMethodWhere(target(name("addProtocol")))
                .orShould()
                .callMethodWhere(target(name("newReflectiveBlockingService")))
                .allowEmptyShould(true)
                .because("RpcServers checks the caller of each call")
                .check(classes));
  }

  /** SECURITY.md has a row for each protocol and kind of caller, as the code has it. */
  @Test
  void theTableOfCallersIsThatOfTheCode() throws IOException {
    Map<String, String> methods = new TreeMap<>();
    CallersTable.of(modules.values())
        .forEach(
            (name, caller) -> {
              int dot = name.lastIndexOf('.');
              methods.merge(
                  name.substring(0, dot) + " | " + caller.words(),
                  name.substring(dot + 1),
                  (before, one) -> before + ", " + one);
            });
    List<String> rows =
        methods.entrySet().stream()
            .map(row -> "| " + row.getKey() + " | " + row.getValue() + " |")
            .toList();
    List<String> written =
        Files.readAllLines(Path.of("..", "SECURITY.md")).stream()
            .filter(line -> line.matches("\\| \\w+Protocol \\|.*"))
            .toList();
    assertThat(written)
        .as("rows of SECURITY.md, expected%n%s", String.join("\n", rows))
        .isEqualTo(rows);
  }
}
