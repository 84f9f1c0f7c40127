/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapping;

import java.util.List;
import java.util.Optional;

/**
 * The rule table: the paper's Table 2, or the administrator's. Made by {@link MappingParser}, which
 * checks it: every class and frequency has a rule and every rule is of use. Immutable.
 *
 * @param windowMs how far back accesses count
 * @param settleMs minimum time that accesses must have been watched before a frequency is believed
 * @param smallFileBytes a shorter file is kept in copies where its rule says ec
 * @param importances classes of importance, in the order of the file
 * @param defaultImportance of files for which none is set
 * @param frequencies highest first; the last starts at 0
 * @param rules the first that matches holds
 */
public record MappingTable(
    long windowMs,
    long settleMs,
    long smallFileBytes,
    List<Importance> importances,
    Optional<Importance> defaultImportance,
    List<Frequency> frequencies,
    List<Rule> rules) {
  public MappingTable {
    importances = List.copyOf(importances);
    frequencies = List.copyOf(frequencies);
    rules = List.copyOf(rules);
  }

  /**
   * A class of importance.
   *
   * @param tolerates losses that its data has to survive
   */
  public record Importance(String name, int tolerates) {}

  /**
   * A class of access frequency.
   *
   * @param fromPerDay accesses a day from which on it holds
   */
  public record Frequency(String name, double fromPerDay) {}

  /**
   * A line of the table.
   *
   * @param line in the file
   * @param importance name of the class
   * @param frequency name of the frequency; empty for any
   * @param scheme what the paper calls it
   * @param form what it is in HDFS
   */
  public record Rule(
      int line, String importance, Optional<String> frequency, String scheme, StorageForm form) {
    boolean matches(Importance i, Frequency f) {
      return importance.equals(i.name())
          && (frequency.isEmpty() || frequency.get().equals(f.name()));
    }

    /** As in the file. */
    public String text() {
      return "rule "
          + importance
          + " "
          + frequency.orElse("any")
          + " "
          + scheme
          + " -> "
          + form.text();
    }
  }

  /** The class of that name. */
  public Optional<Importance> importance(String name) {
    return importances.stream().filter(i -> i.name().equals(name)).findFirst();
  }

  /** The class that so many accesses a day fall into. */
  public Frequency frequency(double accessesPerDay) {
    return frequencies.stream()
        .filter(f -> accessesPerDay >= f.fromPerDay())
        .findFirst()
        .orElseGet(() -> frequencies.get(frequencies.size() - 1));
  }

  /** The rule for data of a class that is accessed so often. */
  public Rule rule(Importance importance, Frequency frequency) {
    return rules.stream()
        .filter(r -> r.matches(importance, frequency))
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("Cannot map: no rule for " + importance + frequency));
  }

  /** Names of the classes, for messages. */
  public List<String> importanceNames() {
    return importances.stream().map(Importance::name).toList();
  }
}
