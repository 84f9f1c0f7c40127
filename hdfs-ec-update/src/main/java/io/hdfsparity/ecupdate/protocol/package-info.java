/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What clients, NameNodes, DataNodes and administrators say to each other about update sessions:
 * records, the interfaces that take them, and the tables of leases that they are judged by. Pure:
 * no Hadoop, no bytes on the wire (those are in {@code wire}), no clock.
 */
@NullMarked
package io.hdfsparity.ecupdate.protocol;

import org.jspecify.annotations.NullMarked;
