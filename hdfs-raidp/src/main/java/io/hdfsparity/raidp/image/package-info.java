/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Covered images: bytes of replicas as they are, or as they were when a parity took them in,
 * verified against their CRCs. Knows the directory layout of HDFS, but nothing of Hadoop's classes.
 */
package io.hdfsparity.raidp.image;
