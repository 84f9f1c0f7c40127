/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

/**
 * A block group of a striped file, as the NameNode located it. Immutable.
 *
 * @param file path, for messages
 * @param block name of the group's block, for messages
 * @param startOffset where the group begins in the file, in bytes
 * @param lengthBytes data bytes of the group
 * @param isComplete whether the group's length is final; while a file is written, the length of its
 *     last group is a guess, and so is that of the parity cells of the last stripe
 */
public record BlockGroup(
    String file, String block, long startOffset, long lengthBytes, boolean isComplete) {}
