/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;

/**
 * Where a unit of a block group is.
 *
 * @param replica as its node calls it
 * @param node that serves it
 */
public record UnitLocation(ReplicaKey replica, Endpoint node) {}
