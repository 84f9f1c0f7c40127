/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import io.hdfsparity.raidp.admin.Command.UsageException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Arguments of a subcommand, parsed strictly: what is not known is an error. */
final class Arguments {
  private final Set<String> flags = new HashSet<>();
  private final Map<String, String> values = new HashMap<>();

  private Arguments() {}

  /**
   * @param flagNames options without a value
   * @param valueNames options with one
   */
  static Arguments parse(List<String> args, Set<String> flagNames, Set<String> valueNames)
      throws UsageException {
    Arguments parsed = new Arguments();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (flagNames.contains(arg)) {
        parsed.flags.add(arg);
      } else if (valueNames.contains(arg)) {
        if (i + 1 == args.size()) {
          throw new UsageException(arg + " needs a value");
        }
        parsed.values.put(arg, args.get(++i));
      } else {
        throw new UsageException("unknown argument " + arg);
      }
    }
    return parsed;
  }

  boolean has(String flag) {
    return flags.contains(flag);
  }

  Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name));
  }
}
