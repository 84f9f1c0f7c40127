/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Reserved space of PLR over a long trace (Chan et al., FAST 2014, Figs. 9 and 10): a simulation,
 * nothing here is measured.
 */
package io.hdfsparity.benchmarks.reserve;
