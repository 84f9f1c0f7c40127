/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.util.VersionInfo;

/**
 * The line of Hadoop that this build of the suite fits, 3.4 or 3.5, beside the Hadoop that it runs
 * in. The suite overrides and calls internals of HDFS that differ between lines: on another one its
 * overrides would not be called, without any error.
 *
 * @param builtFor version of Hadoop that the suite was compiled against, such as 3.5.0
 * @param running version of the Hadoop on this class path
 */
public record HadoopLine(String builtFor, String running) {
  private static final Pattern LINE = Pattern.compile("(\\d+\\.\\d+)(?:[.-].*)?");

  /** Of this JVM. */
  public static HadoopLine current() {
    return new HadoopLine(SuiteVersion.hadoop(), VersionInfo.getVersion());
  }

  /**
   * Whether a version belongs to the line that the suite was built for. Releases of vendors do, as
   * 3.5.0.7-12.
   */
  public boolean fits(String version) {
    return line(version).equals(line(builtFor));
  }

  /** The versions that fit, as 3.5.x. */
  public String versions() {
    return line(builtFor) + ".x";
  }

  /**
   * Refuses another line.
   *
   * @throws IllegalStateException when the running Hadoop is of another line
   */
  public void require() {
    if (!fits(running)) {
      throw new IllegalStateException(refusal());
    }
  }

  /**
   * As {@link #require}, where the caller handles errors of input and output.
   *
   * @throws IOException when the running Hadoop is of another line
   */
  public void requireOrFail() throws IOException {
    if (!fits(running)) {
      throw new IOException(refusal());
    }
  }

  private String refusal() {
    return message("start the HDFS Parity Suite")
        + "; there is a tarball of the suite for each of the lines 3.4 and 3.5: install the one that"
        + " fits";
  }

  /**
   * What to say when something of Hadoop's is not as it was when the suite was built.
   *
   * @param task what cannot be done
   */
  public String message(String task) {
    return "Cannot "
        + task
        + ": hadoop="
        + running
        + ", expected "
        + versions()
        + ", for which this build of the suite ("
        + SuiteVersion.get()
        + ") was made";
  }

  private static String line(String version) {
    Matcher matcher = LINE.matcher(version);
    return matcher.matches() ? matcher.group(1) : version;
  }
}
