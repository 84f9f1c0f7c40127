/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.cli.Arguments;
import java.util.List;
import java.util.Set;

/**
 * {@code hdfs izs -advise}: which scheme files have, which they should have, why, and what that
 * saves or costs. Changes nothing.
 */
final class AdviseCommand extends ConsoleCommand {
  private static final String RECURSIVE = "-R";

  AdviseCommand(Console console) {
    super(
        console,
        "-advise",
        "<path> [-R] [-json]",
        """
    Says how a file is stored, how it should be by its importance and access frequency, why, and
    the bytes saved or spent; for a directory, of the files in it; with -R, of all below it. Changes
    nothing. Needs the access history in the NameNode, and a superuser.
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(args, Set.of(Console.JSON, RECURSIVE), Set.of(), List.of("the path"));
    AdviceWalk walk = AdviceWalk.of(console, "advise", a.operand(0));
    try (AdvicePrinter printer = AdvicePrinter.of(console, a.has(Console.JSON))) {
      walk.forEach(a.has(RECURSIVE) ? AdviceWalk.Tree.YES : AdviceWalk.Tree.NO, printer::print);
      return printer.exitCode();
    }
  }
}
