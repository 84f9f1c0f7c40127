/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import org.jspecify.annotations.Nullable;

/**
 * What a swap was answered, kept until the client must have got the answer: without it the client
 * could not compute its delta, and would be as good as crashed.
 *
 * @param previous the bytes that were replaced
 * @param otid the latest write before it
 */
public record SwapReceipt(Tid tid, Bytes previous, long epoch, @Nullable Tid otid) {}
