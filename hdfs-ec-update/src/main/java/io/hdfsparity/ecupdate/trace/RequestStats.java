/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

/**
 * Requests of one kind, and how long they took. Immutable.
 *
 * @param bytes of all
 * @param p50Us half of them took no longer, in microseconds
 * @param maxUs the longest
 */
public record RequestStats(
    long requests, long bytes, long p50Us, long p95Us, long p99Us, long maxUs) {}
