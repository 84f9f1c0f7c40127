/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ParityDataNodePlugin;
import io.hdfsparity.ParityNameNodePlugin;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.FeatureFileSystem;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A build for one line of Hadoop does not start on another one. */
class HadoopLineTest {
  /** A way into the suite. */
  @FunctionalInterface
  private interface Way {
    void open() throws Exception;
  }

  /** A main class that tries each way into the suite. */
  static final class Start {
    private static final Map<String, Way> WAYS =
        Map.of(
            "namenode", ParityNameNodePlugin::new,
            "datanode", ParityDataNodePlugin::new,
            "dataset", () -> new ParityDatasetFactory().setConf(new Configuration()),
            "client", Start::openClient);

    private Start() {}

    private static void openClient() throws IOException {
      try (DistributedFileSystem files = new FeatureFileSystem() {}) {
        files.initialize(URI.create("hdfs://localhost:1"), new Configuration());
      }
    }

    /** Says how each ends. */
    public static void main(String[] args) {
      WAYS.forEach(
          (name, way) -> {
            try {
              way.open();
              System.out.println(name + ": started");
            } catch (Exception | LinkageError e) {
              System.out.println(name + ": " + e.getMessage());
            }
          });
    }
  }

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "3.5.0, 3.5.0",
    "3.5.0, 3.5.1",
    "3.5.0, 3.5.0.7-12",
    "3.5.0, 3.5-SNAPSHOT",
    "3.4.3, 3.4.1",
    "3.4.3, 3.4.1-vendor-2"
  })
  void theSameLineFits(String builtFor, String running) {
    HadoopLine line = new HadoopLine(builtFor, running);
    assertThat(line.fits(running)).isTrue();
    assertThatCode(line::require).doesNotThrowAnyException();
    assertThatCode(line::requireOrFail).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"3.5.0, 3.4.3", "3.4.3, 3.5.0", "3.5.0, 3.50.1", "3.5.0, 3.6.0", "3.5.0, Unknown"})
  void anotherLineIsRefusedByBothVersions(String builtFor, String running) {
    HadoopLine line = new HadoopLine(builtFor, running);
    String said =
        "Cannot start the HDFS Parity Suite: hadoop=" + running + ", expected " + line.versions();
    assertThatThrownBy(line::require)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(said);
    assertThatThrownBy(line::requireOrFail)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(said);
  }

  @Test
  void theBuildSaysWhatItWasCompiledAgainst() {
    assertThat(HadoopLine.current().builtFor()).isEqualTo(VersionInfo.getVersion());
    assertThat(HadoopLine.current().versions()).matches("3\\.[45]\\.x");
  }

  /** In a JVM of its own, whose Hadoop says that it is 3.3.6. */
  @Test
  void noWayInStartsOnAnotherLine() throws Exception {
    Files.writeString(directory.resolve("common-version-info.properties"), "version=3.3.6\n");
    Path output = directory.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                directory + File.pathSeparator + System.getProperty("java.class.path"),
                Start.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("in time").isTrue();
    List<String> lines =
        Files.readAllLines(output).stream()
            .filter(
                line -> Start.WAYS.keySet().stream().anyMatch(way -> line.startsWith(way + ":")))
            .toList();
    assertThat(lines).hasSameSizeAs(Start.WAYS.keySet());
    assertThat(lines)
        .allMatch(
            line ->
                line.contains(
                    ": Cannot start the HDFS Parity Suite: hadoop=3.3.6, expected "
                        + HadoopLine.current().versions()));
  }
}
