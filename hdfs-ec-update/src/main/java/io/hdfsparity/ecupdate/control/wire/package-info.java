/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** The control protocol of DataNodes over Hadoop RPC. */
@NullMarked
package io.hdfsparity.ecupdate.control.wire;

import org.jspecify.annotations.NullMarked;
