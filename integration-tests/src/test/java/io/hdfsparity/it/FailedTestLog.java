/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * When a test has failed, keeps what the log of its last minute said again and again, and its
 * rarest warnings, in {@code target/failed-tests}: {@code ./check} shows it at its end. A test that
 * fails once in a hundred runs, on a machine that is gone, can only be understood by that.
 *
 * <p>Found by {@link java.util.ServiceLoader}, so that no test class has to name it.
 */
public final class FailedTestLog
    implements BeforeTestExecutionCallback, AfterTestExecutionCallback {
  private static final int SECONDS = 60;
  private static final int MAX_REPEATED = 8;
  private static final int MAX_WARNINGS = 30;
  private static final Namespace TIMES = Namespace.create(FailedTestLog.class);
  private static final String BEGUN = "begun";
  private static final int TAIL_BYTES = 8 << 20;

  @Override
  public void beforeTestExecution(ExtensionContext context) {
    context.getStore(TIMES).put(BEGUN, LocalDateTime.now());
  }

  @Override
  public void afterTestExecution(ExtensionContext context) throws IOException {
    if (context.getExecutionException().isEmpty()) {
      return;
    }
    Path log = Path.of("target/integration-tests-" + System.getProperty("test.fork") + ".log");
    if (!Files.exists(log)) {
      return; // run from an editor
    }
    Path into = Files.createDirectories(Path.of("target/failed-tests"));
    String test = context.getRequiredTestClass().getSimpleName();
    Files.write(
        into.resolve(test + "." + context.getRequiredTestMethod().getName() + ".txt"),
        summary(
            tail(log),
            LocalDateTime.now().minusSeconds(SECONDS),
            context.getStore(TIMES).get(BEGUN, LocalDateTime.class)));
  }

  /** What is worth reading of a log. */
  static List<String> summary(
      List<String> lines, LocalDateTime repeatedSince, LocalDateTime warningsSince) {
    RepeatedLines repeated = new RepeatedLines(repeatedSince);
    RepeatedLines warnings = new RepeatedLines(warningsSince);
    lines.forEach(repeated::add);
    lines.forEach(warnings::add);
    List<String> all = new ArrayList<>();
    all.add("rarest warnings of the log since the test began:");
    all.addAll(warnings.rarestWarnings(MAX_WARNINGS));
    all.add("most frequent lines in the last " + SECONDS + " s:");
    all.addAll(repeated.mostFrequent(MAX_REPEATED));
    return all;
  }

  private static List<String> tail(Path log) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - TAIL_BYTES);
      file.seek(from);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    }
  }
}
