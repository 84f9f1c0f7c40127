/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.refusal;

/**
 * Why a file is refused what was asked for it. Immutable.
 *
 * @param kind one word, for programs
 * @param reason names value and rule
 * @param remedy what to do
 */
public record Refusal(String kind, String reason, String remedy) {}
