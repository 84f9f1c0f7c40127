/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Erasure-coded files as block devices: an updater under a server of {@code ecupdate.nbd}. */
@NullMarked
package io.hdfsparity.ecupdate.device;

import org.jspecify.annotations.NullMarked;
