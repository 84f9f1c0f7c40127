/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

/**
 * A line that was left out.
 *
 * @param lineNumber from 1
 * @param reason which field has which value, and what was expected
 */
public record BadLine(long lineNumber, String reason) {}
