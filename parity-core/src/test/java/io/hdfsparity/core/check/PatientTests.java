/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets how long tests wait for what they say no time for. Awaitility's own ten seconds are less
 * than a busy machine may stand still; a test that fails takes longer, and no other. It then says
 * what it has ignored.
 */
public final class PatientTests implements LauncherSessionListener {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(TIMEOUT);
    Awaitility.setDefaultConditionEvaluationListener(new IgnoredFailures(System.err));
  }
}
