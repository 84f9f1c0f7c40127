/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Follows a page of docs/how-to: executes its marked commands in their order, each of which must
 * end with 0. Between them the test does what the page tells its reader to do by hand. Not
 * thread-safe.
 */
final class HowToRun {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final String page;
  private final HowToShell shell;
  private final Deque<List<String>> left;
  private final Map<String, String> values = new TreeMap<>();
  private final Set<String> repeated = new HashSet<>();

  HowToRun(String page, HowToShell shell) throws IOException {
    this.page = page;
    this.shell = shell;
    this.left = new ArrayDeque<>(HowToPage.read(page).commands());
  }

  /**
   * What the page leaves to its reader: a name in capitals, a file of the reader's, a size that a
   * test has no time for. It is replaced wherever a command has it.
   */
  HowToRun with(String text, String value) {
    values.put(text, value);
    return this;
  }

  /** The same for a local file, in the directory of the test. */
  HowToRun withLocal(String name) {
    return with(name, shell.local(name).toString());
  }

  /** The page says that commands with this word are run again until they succeed. */
  HowToRun repeating(String word) {
    repeated.add(word);
    return this;
  }

  /** Executes the commands before the next one that has the word. */
  HowToRun upTo(String word) throws Exception {
    while (!next().contains(word)) {
      execute(left.pop());
    }
    return this;
  }

  private List<String> next() {
    assertThat(left).as("commands that are left of page %s", page).isNotEmpty();
    return left.peek();
  }

  /** Executes the next command once for each value of a name in capitals. */
  HowToRun each(String text, List<String> valuesOfText) throws Exception {
    List<String> command = left.pop();
    assertThat(command).as("command of page %s", page).contains(text);
    for (String value : valuesOfText) {
      with(text, value);
      execute(command);
    }
    return this;
  }

  /**
   * Executes the commands before the next one that has the word on some hosts, then on the next
   * ones.
   *
   * @param hosts as {@link HowToShell#onHostsOf} takes them
   */
  void onEach(List<Map<String, List<String>>> hosts, String word) throws Exception {
    List<List<String>> commands = new ArrayList<>();
    while (!next().contains(word)) {
      commands.add(left.pop());
    }
    for (Map<String, List<String>> each : hosts) {
      shell.onHostsOf(each);
      for (List<String> command : commands) {
        execute(command);
      }
      shell.start();
    }
  }

  /** Executes what is left of the page. */
  void rest() throws Exception {
    while (!left.isEmpty()) {
      execute(left.pop());
    }
    shell.start();
    shell.close();
  }

  private void execute(List<String> template) throws Exception {
    List<String> command = template.stream().map(this::filledIn).toList();
    long begun = System.nanoTime();
    int exit = shell.run(command);
    if (exit != 0 && command.stream().anyMatch(repeated::contains)) {
      exit =
          MiniRaidp.await(String.join(" ", command))
              .pollInterval(Duration.ofSeconds(1))
              .atMost(PATIENCE)
              .until(() -> shell.run(command), Predicate.isEqual(0));
    }
    System.out.printf("how-to: %s: %s: %.1f s%n", page, command, (System.nanoTime() - begun) / 1e9);
    assertThat(exit).as(page + ": " + String.join(" ", command)).isZero();
  }

  private String filledIn(String word) {
    String result = word;
    for (Map.Entry<String, String> each : values.entrySet()) {
      result = result.replace(each.getKey(), each.getValue());
    }
    return result;
  }
}
