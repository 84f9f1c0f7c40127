/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Files of erasure-coded stripes that are changed in place: ranges mapped to stripes, AJX's clients
 * with threads, and the write-back cache. No Hadoop and no sockets: where blocks are says a {@link
 * io.hdfsparity.ecupdate.client.StripeSession}, requests go through {@link
 * io.hdfsparity.ecupdate.client.NodeCalls}.
 */
@NullMarked
package io.hdfsparity.ecupdate.client;

import org.jspecify.annotations.NullMarked;
