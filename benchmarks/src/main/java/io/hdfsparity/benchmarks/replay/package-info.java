/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Traces replayed on files that are updated in place (PLR paper, Figs. 7 and 8). */
package io.hdfsparity.benchmarks.replay;
