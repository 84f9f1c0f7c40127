/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** RPC by which commands ask daemons for the state of the suite in them. */
@NullMarked
package io.hdfsparity.bridge.status.wire;

import org.jspecify.annotations.NullMarked;
