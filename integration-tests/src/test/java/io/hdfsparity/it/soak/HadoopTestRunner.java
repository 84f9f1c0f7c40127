/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.soak;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of one class in this JVM and prints a line for each: {@code
 * ::PASSED|FAILED|SKIPPED TAB name TAB first line of the failure}. Tests leave threads behind, so
 * the JVM is ended.
 */
final class HadoopTestRunner {
  private HadoopTestRunner() {}

  public static void main(String[] args) {
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(args[0])).build(),
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier id, TestExecutionResult result) {
                boolean isGood = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
                // A container fails for all tests in it.
                if (id.isTest() || !isGood) {
                  say(
                      isGood ? "PASSED" : "FAILED",
                      id,
                      result.getThrowable().map(String::valueOf).orElse(""));
                }
              }

              @Override
              public void executionSkipped(TestIdentifier id, String reason) {
                say("SKIPPED", id, reason);
              }
            });
    System.exit(0);
  }

  private static void say(String word, TestIdentifier id, String why) {
    String line = why.lines().findFirst().orElse("");
    System.out.println("::" + word + "\t" + id.getLegacyReportingName() + "\t" + line);
  }
}
