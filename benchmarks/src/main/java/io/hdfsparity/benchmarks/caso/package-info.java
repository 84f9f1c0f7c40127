/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Experiments 1 to 4 of CASO (Shen, Lee, Shu, Guo, SRDS 2017, Figs. 8 to 11), and what the analysis
 * itself takes. All but write speed and effort are counts: the same on any machine.
 */
package io.hdfsparity.benchmarks.caso;
