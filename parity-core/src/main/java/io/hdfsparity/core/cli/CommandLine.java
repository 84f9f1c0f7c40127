/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the command that is asked for, runs it, and prints usage and errors as dfsadmin does. Exit
 * codes: that of the command, or -1 for any error. Has a command {@code -help} of its own.
 */
public final class CommandLine {
  /** Exit code of any error. */
  public static final int FAILED = -1;

  private final String program;
  private final String note;
  private final Consumer<PrintStream> genericUsage;
  private final PrintStream out;
  private final PrintStream err;
  private final List<Command> commands;
  private final int misused;

  /**
   * Of a program for which wrong arguments are an error as any other.
   *
   * @param program what the user types, as {@code hdfs raidp}
   * @param note a line below the usage's first
   * @param genericUsage prints the options that come before the command
   * @param commands all commands but {@code -help}, in the order in which usage lists them
   * @throws IllegalArgumentException if two have the same name
   */
  public CommandLine(
      String program,
      String note,
      Consumer<PrintStream> genericUsage,
      PrintStream out,
      PrintStream err,
      List<Command> commands) {
    this(program, note, genericUsage, out, err, commands, FAILED);
  }

  /**
   * The same.
   *
   * @param misused exit code of wrong arguments
   */
  public CommandLine(
      String program,
      String note,
      Consumer<PrintStream> genericUsage,
      PrintStream out,
      PrintStream err,
      List<Command> commands,
      int misused) {
    this.misused = misused;
    this.program = program;
    this.note = note;
    this.genericUsage = genericUsage;
    this.out = out;
    this.err = err;
    List<Command> all = new ArrayList<>(commands);
    all.add(Command.of("-help", "[COMMAND]", "Explains all commands, or one.", this::help));
    this.commands = List.copyOf(all);
    if (this.commands.stream().map(Command::name).distinct().count() < all.size()) {
      throw new IllegalArgumentException(
          "Cannot make " + program + ": two commands have the same name");
    }
  }

  /**
   * Runs a command. Errors are printed, never thrown: this is the last line of defence.
   *
   * @param args the command's name, with or without its dash, and its arguments
   * @return exit code
   */
  public int run(String... args) {
    if (args.length == 0) {
      usage(err);
      return misused;
    }
    Optional<Command> command = find(args[0]);
    if (command.isEmpty()) {
      err.println(undashed(args[0]) + ": Unknown command");
      usage(err);
      return misused;
    }
    String name = undashed(command.get().name());
    try {
      int code = command.get().run(List.of(args).subList(1, args.length));
      if (out.checkError()) {
        throw new IOException("Cannot print the answer: the output was closed or is full");
      }
      return code;
    } catch (UsageException e) {
      err.println(name + ": " + e.getMessage());
      err.println("Usage: " + program + " [" + command.get().synopsis() + "]");
      return misused;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println(name + ": interrupted");
    } catch (Exception | OutOfMemoryError e) {
      // What went wrong is one line, as with dfsadmin.
      err.println(name + ": " + firstLine(ErrorMessages.of(e)));
    }
    return FAILED;
  }

  /** The first line of an exception's message; those of remote calls bring a stack trace along. */
  public static String firstLine(@Nullable String message) {
    return message == null ? "no reason given" : message.lines().findFirst().orElse("");
  }

  private static String undashed(String name) {
    return name.replaceFirst("^-", "");
  }

  private Optional<Command> find(String name) {
    return commands.stream().filter(c -> undashed(c.name()).equals(undashed(name))).findFirst();
  }

  private void usage(PrintStream to) {
    to.println("Usage: " + program);
    to.println("Note: " + note);
    commands.forEach(c -> to.println("\t[" + c.synopsis() + "]"));
    to.println();
    genericUsage.accept(to);
  }

  private int help(List<String> args) throws UsageException {
    if (args.isEmpty()) {
      usage(out);
      commands.forEach(this::explain);
      return 0;
    }
    Command command =
        find(args.get(0)).orElseThrow(() -> new UsageException("unknown command " + args.get(0)));
    explain(command);
    return 0;
  }

  private void explain(Command command) {
    out.println(command.synopsis());
    command.help().lines().forEach(line -> out.println("\t" + line));
  }
}
