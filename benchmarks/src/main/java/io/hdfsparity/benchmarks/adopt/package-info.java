/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Files with three replicas get parity instead of the third: ways to it compared. */
package io.hdfsparity.benchmarks.adopt;
