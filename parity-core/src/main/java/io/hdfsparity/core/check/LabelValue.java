/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

/**
 * Free text, as the message of an error, where a label of a metric is wanted. Hadoop 3.5.0 writes
 * labels unescaped between double quotes, one metric a line (PrometheusMetricsSink): a quote, a
 * backslash or a line break in one makes the whole page unreadable for whoever collects it.
 */
public final class LabelValue {
  /** Longer text is cut off: a label is in every sample. */
  public static final int MAX_CHARS = 300;

  private LabelValue() {}

  /** The text with quotes, backslashes and control characters replaced by what is harmless. */
  public static String of(String text) {
    StringBuilder label = new StringBuilder();
    for (int i = 0; i < text.length() && label.length() < MAX_CHARS; i++) {
      char c = text.charAt(i);
      label.append(c == '"' ? '\'' : c == '\\' ? '/' : Character.isISOControl(c) ? ' ' : c);
    }
    return label.toString();
  }
}
