/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Speed of the IZS codes against Reed-Solomon (MFTS paper, Fig. 7 and Table 6). */
package io.hdfsparity.benchmarks.izscodec;
