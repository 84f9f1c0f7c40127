/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** RPC as the suite's features use it: proxies that fail soon, servers, calls, addresses. */
package io.hdfsparity.bridge.wire;
