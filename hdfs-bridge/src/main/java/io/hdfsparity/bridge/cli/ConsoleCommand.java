/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.cli;

import io.hdfsparity.core.cli.Command;

/** A command that answers at a {@link Console}. As thread-safe as that. */
public abstract class ConsoleCommand implements Command {
  protected final Console console;
  private final String name;
  private final String usage;
  private final String help;

  /** For the parameters see the methods of {@link Command}. */
  protected ConsoleCommand(Console console, String name, String usage, String help) {
    this.console = console;
    this.name = name;
    this.usage = usage;
    this.help = help;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String usage() {
    return usage;
  }

  @Override
  public final String help() {
    return help;
  }
}
