/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Intersecting zigzag sets (IZS) codes: construction, encoding, decoding, repair plans that read
 * about half of every helper, and partial updates. Pure: bytes in, bytes out; no I/O, no clock, no
 * Hadoop.
 *
 * <p>After "MFTS: A Multi-Level Fault-Tolerant Archiving Storage with Optimized Maintenance
 * Bandwidth", IEEE TDSC 11(6), 2014, section 4, and its source, "MDS array codes with optimal
 * rebuilding", ISIT 2011. Where this differs from the paper, and why: docs/adr/0007. What lies in a
 * codeword: docs/formats/izs-codeword.md.
 */
@NullMarked
package io.hdfsparity.izs.codec;

import org.jspecify.annotations.NullMarked;
