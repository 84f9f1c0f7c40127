/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * AJX on whole clusters, and on larger ones by simulation (Aguilera, Janakiraman, Xu, DSN 2005,
 * Figs. 9 and 10).
 */
package io.hdfsparity.benchmarks.ajx;
