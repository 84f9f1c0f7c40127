/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.report;

/**
 * A fault as it was. Immutable.
 *
 * @param name as kill dn2
 * @param beginNanos before it was made, on the clock of the history
 * @param endNanos when it was healed
 */
public record FaultSpan(String name, long beginNanos, long endNanos) {}
