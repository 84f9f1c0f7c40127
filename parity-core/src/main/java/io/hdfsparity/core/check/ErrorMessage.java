/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Builds messages of the form {@code Cannot <do>: <name>=<value>, ..., expected <rule>, file=<path>
 * offset=<n>}.
 *
 * <p>A message is one line, whatever others have chosen of it ({@link Printable}).
 *
 * <p>A small builder for one message; not thread-safe, not kept.
 */
public final class ErrorMessage {
  private final StringBuilder values = new StringBuilder();
  private final String doing;
  private @Nullable String rule;
  private final StringBuilder place = new StringBuilder();

  private ErrorMessage(String doing) {
    this.doing = doing;
  }

  /** Starts a message about something that cannot be done, for example {@code "open Lstor"}. */
  public static ErrorMessage to(String doing) {
    return new ErrorMessage(doing);
  }

  /** Adds the value that is to blame; may be called again for further ones. */
  public ErrorMessage value(String name, @Nullable Object value) {
    values
        .append(values.length() == 0 ? "" : ", ")
        .append(name)
        .append('=')
        .append(Printable.of(value));
    return this;
  }

  /** What the value would have to be. */
  public ErrorMessage expected(Object rule) {
    this.rule = Printable.of(rule);
    return this;
  }

  /** The file concerned. */
  public ErrorMessage file(Path file) {
    return where("file", file);
  }

  /** The place in the file, in bytes. */
  public ErrorMessage offset(long offset) {
    return where("offset", offset);
  }

  /** Any other name of the place: a block, a frame, a host. */
  public ErrorMessage where(String name, Object value) {
    place
        .append(place.length() == 0 ? ", " : " ")
        .append(name)
        .append('=')
        .append(Printable.of(value));
    return this;
  }

  /** The whole message. */
  public String message() {
    StringBuilder message = new StringBuilder("Cannot ").append(doing).append(": ").append(values);
    if (rule != null) {
      message.append(values.length() == 0 ? "expected " : ", expected ").append(rule);
    }
    return message.append(place).toString();
  }

  @Override
  public String toString() {
    return message();
  }
}
