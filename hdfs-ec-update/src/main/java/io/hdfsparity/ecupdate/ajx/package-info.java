/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * AJX (Aguilera, Janakiraman, Xu: "Using Erasure Codes Efficiently for Storage in a Distributed
 * System", DSN 2005): requests, replies and codes, and the client and the storage node as state
 * machines that are fed with messages and timers. Pure: no Hadoop, no disks, no sockets, no
 * threads, no clocks.
 */
@NullMarked
package io.hdfsparity.ecupdate.ajx;

import org.jspecify.annotations.NullMarked;
