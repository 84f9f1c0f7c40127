/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A command line split into words, options with values, and flags. */
final class Arguments {
  private final List<String> words = new ArrayList<>();
  private final Map<String, String> values = new TreeMap<>();
  private final Map<String, String> properties = new TreeMap<>();

  /**
   * Splits a command line.
   *
   * @param withValue names of options that take a value, as {@code nodes} for {@code --nodes 6}
   * @param flags names of options that take none
   * @throws UsageException when an option is unknown or lacks its value
   */
  static Arguments parse(List<String> args, Set<String> withValue, Set<String> flags)
      throws UsageException {
    Arguments parsed = new Arguments();
    Deque<String> left = new ArrayDeque<>(args);
    while (!left.isEmpty()) {
      String arg = left.pop();
      if (arg.equals("-D")) {
        if (left.isEmpty()) {
          throw new UsageException("Option -D lacks its key=value");
        }
        parsed.property(left.pop());
      } else if (arg.startsWith("-D")) {
        parsed.property(arg.substring(2));
      } else if (!arg.startsWith("-")) {
        parsed.words.add(arg);
      } else {
        parsed.option(arg, left, withValue, flags);
      }
    }
    return parsed;
  }

  private void option(String arg, Deque<String> left, Set<String> withValue, Set<String> flags)
      throws UsageException {
    String name = arg.replaceFirst("^--?", "");
    int equals = name.indexOf('=');
    if (equals > 0 && withValue.contains(name.substring(0, equals))) {
      values.put(name.substring(0, equals), name.substring(equals + 1));
    } else if (flags.contains(name)) {
      values.put(name, "true");
    } else if (!withValue.contains(name)) {
      throw new UsageException("Unknown option " + arg);
    } else if (left.isEmpty()) {
      throw new UsageException("Option " + arg + " lacks its value");
    } else {
      values.put(name, left.pop());
    }
  }

  private void property(String text) throws UsageException {
    int equals = text.indexOf('=');
    if (equals <= 0) {
      throw new UsageException("Cannot read -D " + text + ", expected key=value");
    }
    properties.put(text.substring(0, equals), text.substring(equals + 1));
  }

  /** What is no option, in order. */
  List<String> words() {
    return words;
  }

  /** The value of an option, or null. */
  String value(String name) {
    return values.get(name);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** What was given by -D key=value. */
  Map<String, String> properties() {
    return properties;
  }
}
