/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.hold;

import io.hdfsparity.bridge.refusal.Refusal;

/**
 * Why a file must stay in the form that it has. Immutable.
 *
 * @param kind one word, for programs
 * @param name of what holds it
 * @param value of that
 * @param remedy what to do
 */
public record FileHold(String kind, String name, String value, String remedy) {
  /** Names value and rule, for a message that begins with what cannot be done. */
  public String reason(String path) {
    return name + "=" + value + ", expected none, file=" + path;
  }

  /**
   * The refusal of what somebody asked for the file.
   *
   * @param request as in "Cannot change the level"
   */
  public Refusal refuse(String request, String path) {
    return new Refusal(kind, "Cannot " + request + ": " + reason(path), remedy);
  }
}
