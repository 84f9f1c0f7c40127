/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Arguments of a command, parsed strictly: what is not known, twice there or missing is an error.
 * Options may stand before, between or after the operands. Not thread-safe.
 */
public final class Arguments {
  private final Set<String> flags = new HashSet<>();
  private final Map<String, String> values = new HashMap<>();
  private final List<String> operands = new ArrayList<>();

  private Arguments() {}

  /**
   * Parses arguments of a command without operands.
   *
   * @param flagNames options without a value, with their dash
   * @param valueNames options with one, with their dash
   */
  public static Arguments parse(List<String> args, Set<String> flagNames, Set<String> valueNames)
      throws UsageException {
    return parse(args, flagNames, valueNames, List.of());
  }

  /**
   * Parses arguments of a command with operands, each of which is required.
   *
   * @param flagNames options without a value, with their dash
   * @param valueNames options with one, with their dash
   * @param operandNames what the operands are called in messages, in their order
   */
  public static Arguments parse(
      List<String> args, Set<String> flagNames, Set<String> valueNames, List<String> operandNames)
      throws UsageException {
    return parse(args, flagNames, valueNames, operandNames, operandNames.size());
  }

  /**
   * Parses arguments of a command with one operand or several.
   *
   * @param flagNames options without a value, with their dash
   * @param valueNames options with one, with their dash
   * @param operandName what an operand is called in messages
   */
  public static Arguments parseSeveral(
      List<String> args, Set<String> flagNames, Set<String> valueNames, String operandName)
      throws UsageException {
    return parse(args, flagNames, valueNames, List.of(operandName), Integer.MAX_VALUE);
  }

  private static Arguments parse(
      List<String> args,
      Set<String> flagNames,
      Set<String> valueNames,
      List<String> operandNames,
      int maxOperands)
      throws UsageException {
    Arguments parsed = new Arguments();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      boolean again = false;
      if (flagNames.contains(arg)) {
        again = !parsed.flags.add(arg);
      } else if (valueNames.contains(arg)) {
        if (i + 1 == args.size()) {
          throw new UsageException(arg + " needs a value");
        }
        again = parsed.values.putIfAbsent(arg, args.get(++i)) != null;
      } else if (arg.startsWith("-") || parsed.operands.size() == maxOperands) {
        throw new UsageException("unknown argument " + arg);
      } else {
        parsed.operands.add(arg);
      }
      if (again) {
        throw new UsageException(arg + " is given twice");
      }
    }
    if (parsed.operands.size() < operandNames.size()) {
      throw new UsageException(operandNames.get(parsed.operands.size()).concat(" is missing"));
    }
    return parsed;
  }

  public boolean has(String flag) {
    return flags.contains(flag);
  }

  public Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /**
   * A whole number that must be there.
   *
   * @throws UsageException naming the option where it is missing, or not such a number
   */
  public long number(String name, long min, long max) throws UsageException {
    String text = value(name).orElseThrow(() -> new UsageException(name + " is missing"));
    try {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new UsageException(
          name + "=" + text + ", expected a whole number from " + min + " to " + max);
    }
    throw new UsageException(name + "=" + text + ", expected " + min + " to " + max);
  }

  /** As {@link #number(String, long, long)}, or what stands for one that is not there. */
  public long number(String name, long min, long max, long otherwise) throws UsageException {
    return values.containsKey(name) ? number(name, min, max) : otherwise;
  }

  /** All operands, in their order. */
  public List<String> operands() {
    return List.copyOf(operands);
  }

  /** An operand by its place in the names that were given to the parser. */
  public String operand(int index) {
    return operands.get(index);
  }
}
