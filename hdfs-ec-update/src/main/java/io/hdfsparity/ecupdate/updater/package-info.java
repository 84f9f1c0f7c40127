/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * A closed erasure-coded file that is changed in place: ranges mapped to stripes, AJX's clients
 * with threads, locks, verification and the write-back cache. No Hadoop and no sockets: where
 * blocks are says a {@link io.hdfsparity.ecupdate.updater.StripeSession}, requests go through
 * {@link io.hdfsparity.ecupdate.updater.NodeCalls}.
 */
@NullMarked
package io.hdfsparity.ecupdate.updater;

import org.jspecify.annotations.NullMarked;
