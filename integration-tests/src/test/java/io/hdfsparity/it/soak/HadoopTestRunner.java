/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.soak;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs one class, or one test by its unique id, in this JVM, and appends a line for each test to a
 * file ({@link HadoopTestOutcome#line}). Tests leave threads behind, so the JVM is ended.
 */
final class HadoopTestRunner {
  private HadoopTestRunner() {}

  public static void main(String[] args) {
    String what = args[0];
    Path results = Path.of(args[1]);
    DiscoverySelector selector = what.startsWith("[") ? selectUniqueId(what) : selectClass(what);
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selector).build(),
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier id, TestExecutionResult result) {
                boolean isGood = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
                // A container fails for all tests in it.
                if (id.isTest() || !isGood) {
                  append(
                      results,
                      id,
                      isGood ? HadoopTestOutcome.Word.PASSED : HadoopTestOutcome.Word.FAILED,
                      result.getThrowable().map(String::valueOf).orElse(""));
                }
              }

              @Override
              public void executionSkipped(TestIdentifier id, String reason) {
                append(results, id, HadoopTestOutcome.Word.SKIPPED, reason);
              }
            });
    System.exit(0);
  }

  private static void append(
      Path results, TestIdentifier id, HadoopTestOutcome.Word word, String message) {
    String first = message.lines().findFirst().orElse("").replace('\t', ' ');
    try {
      Files.writeString(
          results,
          new HadoopTestOutcome(word, id.getUniqueId(), first).line() + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
