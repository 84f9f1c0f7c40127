/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.incast;

/**
 * How senders find out that what they sent last was lost.
 *
 * @param label name of the contender
 * @param rtoMinMs least timeout that is asked for; timers tick as often as the kernel's, 4 ms apart
 *     where HZ is 250
 * @param probes whether the last segment is sent again ahead of the timeout (tail loss probes), as
 *     Linux does since 2013
 */
record Retransmission(String label, int rtoMinMs, boolean probes) {}
