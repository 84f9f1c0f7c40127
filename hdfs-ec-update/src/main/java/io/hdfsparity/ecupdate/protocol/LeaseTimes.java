/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/**
 * How long a session lasts. Durations, since clocks of machines differ. Immutable.
 *
 * @param leaseMs after the answer was asked for, unless renewed
 * @param renewEveryMs how often a client should renew
 */
public record LeaseTimes(long leaseMs, long renewEveryMs) {}
