/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds of one answer: neither a daemon with thousands of keys nor one that lies makes an answer
 * that a command cannot hold. What is beyond is left out. Stateless.
 */
public final class StatusLimits {
  /** DataNodes that a NameNode lists. */
  public static final int MAX_NODES = 20_000;

  /** Features, policies, directories, figures of a feature. */
  public static final int MAX_ENTRIES = 256;

  /** Keys of a daemon. */
  public static final int MAX_KEYS = 1024;

  /** Characters of a text. */
  public static final int MAX_TEXT = 1024;

  private StatusLimits() {}

  /** The text, or its beginning. */
  public static String text(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
  }

  /** The list, or its beginning. */
  public static <T> List<T> first(List<T> list, int max) {
    return list.size() <= max ? list : list.subList(0, max);
  }

  /** The map, or its beginning, with bounded texts. */
  public static Map<String, String> first(Map<String, String> map, int max) {
    Map<String, String> bounded = new LinkedHashMap<>();
    map.entrySet().stream()
        .limit(max)
        .forEach(each -> bounded.put(text(each.getKey()), text(each.getValue())));
    return bounded;
  }
}
