/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** In-place updates of erasure-coded files (CodFS paper, section 6.2). */
package io.hdfsparity.benchmarks.ecupdate;
