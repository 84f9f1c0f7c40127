/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What synchronized reads of many helpers through a switch with small buffers deliver (MFTS paper,
 * section 7.3.5), on plain sockets.
 */
package io.hdfsparity.benchmarks.incast;
